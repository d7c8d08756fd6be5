/** Which secrets a run of the suite plants, and where it writes down what is seen of them. */
export interface CanarySettings {
  readonly seed: string;
  readonly folder: string;
  readonly at?: Place;
}

/** The test during which something was seen. */
export interface Place {
  readonly file: string;
  readonly test: string;
}

export interface Canaries {
  readonly cores: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

export declare const VARIABLE: string;
export declare function canarySettings(): CanarySettings;
export declare function createCanaries(seed: string): Canaries;
