import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Listens in on a handshake for what the SDK's client does not tell. */
export class HandshakeWatch {
  #offeredVersion: string | undefined;
  #hasSaidModern = false;
  #isProbeAnswered: boolean;
  #isLateAnswer = false;

  constructor(era: 'probe' | 'legacy') {
    this.#isProbeAnswered = era !== 'probe';
  }

  /** The version that the server named in its answer to `initialize`. */
  get offeredVersion(): string | undefined {
    return this.#offeredVersion;
  }

  /** Whether the server told its era after all. */
  get hasSaidModern(): boolean {
    return this.#hasSaidModern;
  }

  /** Whether the message that is being read answers the question for the era, when nobody waits for it any more. */
  get isLateAnswer(): boolean {
    return this.#isLateAnswer;
  }

  /** Sees each message before the client does, but none while the client asks for the era. */
  see(message: JSONRPCMessage): void {
    this.#isLateAnswer = this.#answersProbe(message);
    if (this.#offeredVersion !== undefined || !('result' in message)) return;
    if (Array.isArray(message.result['supportedVersions'])) this.#hasSaidModern = true;
    const version = message.result['protocolVersion'];
    if (typeof version === 'string') this.#offeredVersion = version;
  }

  /** Of all requests only this one has a text for an id; it has one answer. */
  #answersProbe(message: JSONRPCMessage): boolean {
    if (this.#isProbeAnswered || 'method' in message || typeof message.id !== 'string') return false;
    this.#isProbeAnswered = true;
    return true;
  }
}
