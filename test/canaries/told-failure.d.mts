/** What a server writes, with a text added where it tells of a failure. */
export declare function withCanaries(chunk: string, told: string): string;
