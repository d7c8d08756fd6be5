/** The shape shared by server objects of SDK v1, SDK v2 and anything written by hand. */
export interface InProcessServer {
  /** Takes the server's end of a message channel and serves it until it is closed. */
  connect(channel: MessageChannelEnd): Promise<void>;
  close(): Promise<void>;
}

/** One end of a message channel: the protocol SDKs' transport, as far as both versions agree on it. */
export interface MessageChannelEnd {
  start(): Promise<void>;
  // oxlint-disable-next-line typescript/no-explicit-any -- each SDK has its own message type; ours must fit both
  send(message: any, options?: any): Promise<void>;
  close(): Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  onmessage?: (message: any, extra?: any) => void;
  sessionId?: string;
}
