/** Anything a session can be told; reducers are chosen by its type. */
export interface SessionEvent {
  readonly type: string;
}
