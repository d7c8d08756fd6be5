import type { CallOptions, ToolAddress } from '../../bridge/call-options.ts';
import type { CallReport } from '../../bridge/call-report.ts';
import type { Caller } from '../../bridge/caller.ts';
import type { Tool } from '../../bridge/tool.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import type { Hub } from '../../hub/hub.ts';
import type { DeferredTools } from './deferred-tools.ts';
import { StableOrder } from './stable-order.ts';

export interface ShownToolsOptions {
  readonly caller: Caller;
  readonly view: Hub;
  readonly deferred: DeferredTools;
  /** How a tool is run: with what it opens in sight when it is over. */
  readonly call: (address: ToolAddress, args?: JsonObject, options?: CallOptions) => Promise<CallReport>;
}

/** The tools of a run: all that can be called, and those of which the agent has the definition. */
export class ShownTools {
  readonly #options: ShownToolsOptions;
  readonly #order = new StableOrder();
  #shown: readonly Tool[] | undefined;

  constructor(options: ShownToolsOptions) {
    this.#options = options;
  }

  /** In an order in which what was added later always comes last. */
  get shown(): readonly Tool[] {
    // Kept until something changes: agents ask at every turn, and there may be thousands.
    this.#shown ??= this.#order.sorted(this.#options.deferred.shown(this.callable()));
    return this.#shown;
  }

  /** Everything that a call would reach, whether or not its definition is shown. */
  callable(): readonly Tool[] {
    return this.#options.caller.tools().map((tool) => ({ ...tool, run: this.#runOf(tool) }));
  }

  changed(): void {
    this.#shown = undefined;
  }

  #runOf({ name, server, tool }: Tool): Tool['run'] {
    const { view, call } = this.#options;
    const address = server === undefined || view.toolName(server, tool) !== name ? name : { server, tool };
    return (args, options) => call(address, args, options);
  }
}
