import { Caller, defineSlice, defineTool, Hub, Session, textOf } from '../../src/index.ts';
import type {
  CallerOptions,
  CallOptions,
  CallReport,
  Clock,
  HubOptions,
  JsonObject,
  NativeTool,
  SessionEvents,
  Slice,
  ToolAddress,
  ToolContext,
  ToolPolicy,
  ToolReply,
} from '../../src/index.ts';

/** What calls leave behind in the session of a bench. */
export const Notes: Slice<string> = defineSlice<string>({ name: 'notes' });

/** Notes every call that succeeds, inside its transaction. */
export const notePolicy: ToolPolicy = {
  name: 'note',
  onResult: ({ tool }, _, { session }) => session.slice(Notes).append(tool.tool),
};

type AnySessionEvent = SessionEvents[keyof SessionEvents];

export interface CallBenchOptions extends HubOptions {
  readonly caller?: Partial<CallerOptions>;
}

/** What is to be seen of one call when it has ended. */
export interface Seen {
  readonly success: boolean;
  readonly outcome: string;
  readonly message: string;
  /** The text that the model reads. */
  readonly read: string;
  readonly notes: readonly string[];
  /** The types of the events of this call, in order. */
  readonly events: readonly string[];
}

/** A caller, its session, and a record of every event of its calls. */
export class CallSeat {
  readonly session: Session;
  readonly caller: Caller;
  readonly events: AnySessionEvent[] = [];

  constructor(hub: CallerOptions['hub'], options: Partial<CallerOptions> & { readonly clock?: Clock } = {}) {
    this.session = options.session ?? new Session();
    for (const type of ['tool-started', 'tool-invoked', 'approval-asked', 'approval-decided'] as const)
      this.session.dispatcher.subscribe(type, (event) => this.events.push(event));
    this.caller = new Caller({ policies: [notePolicy], ...options, hub, session: this.session });
  }

  get notes(): readonly string[] {
    return this.session.slice(Notes).all();
  }

  eventsOf<Type extends keyof SessionEvents>(type: Type): readonly SessionEvents[Type][] {
    return this.events.filter((event): event is SessionEvents[Type] => event.type === type);
  }

  /** Makes one call and tells everything about how it ended. */
  async see(address: ToolAddress, args?: JsonObject, options?: CallOptions): Promise<Seen> {
    return this.seen(await this.caller.call(address, args, options));
  }

  seen({ success, outcome, message, content, callId }: CallReport): Seen {
    const events = this.events.filter((event) => 'callId' in event && event.callId === callId).map(({ type }) => type);
    return { success, outcome, message, read: textOf(content), notes: this.notes, events };
  }
}

/** A seat with a hub of its own. */
export class CallBench extends CallSeat implements AsyncDisposable {
  readonly hub: Hub;

  constructor({ caller = {}, ...options }: CallBenchOptions = {}) {
    const hub = new Hub({ random: () => 0, ...options });
    super(hub, { ...(options.clock && { clock: options.clock }), ...caller });
    this.hub = hub;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hub.close();
  }
}

/** A native tool of any parameters. */
export function nativeTool(
  name: string,
  handler: (params: JsonObject, context: ToolContext) => ToolReply | Promise<ToolReply>,
  fields: Partial<Pick<NativeTool, 'annotations' | 'policies' | 'timeoutMs' | 'outputSchema'>> = {},
): NativeTool {
  return defineTool({ name, description: `The tool ${name}.`, params: { type: 'object' }, ...fields, handler });
}

/** Something that a test waits for or lets happen. */
export class Gate<Value = void> {
  #open!: (value: Value) => void;
  readonly passed: Promise<Value> = new Promise((resolve) => {
    this.#open = resolve;
  });

  open(value: Value): void {
    this.#open(value);
  }
}
