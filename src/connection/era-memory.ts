/** What was learned about how a server must be spoken to. */
export type EraVerdict =
  /** The stateless protocol of 2026-07-28. */
  | 'modern'
  /** The protocol with a handshake. */
  | 'legacy'
  /** The older HTTP with Server-Sent Events, found at the url of a Streamable HTTP endpoint. */
  | 'legacy-sse';

/** Remembers the verdict on one server, so that the question is asked once. */
export interface EraMemory {
  recall(): EraVerdict | undefined;
  /** A guess holds for the next attempt; what a connection has proved is kept. */
  note(verdict: EraVerdict, certainty: 'guess' | 'proved'): void;
  forget(): void;
}
