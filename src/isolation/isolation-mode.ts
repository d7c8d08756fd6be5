/** Whether a spawned server must, should or need not run in a sandbox. */
export type IsolationMode = 'required' | 'preferred' | 'off';
