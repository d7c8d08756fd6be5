/** How a call ended; every call ends in exactly one of these. */
export type Outcome =
  | 'ok'
  | 'tool-error'
  | 'denied'
  | 'invalid'
  | 'timeout'
  | 'cancelled'
  | 'ambiguous'
  | 'unavailable';
