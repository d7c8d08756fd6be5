/* oxlint-disable typescript/no-deprecated -- servers of the older protocol ask for sampling and roots */
import type {
  Client,
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestParams,
  ElicitResult,
  Root,
} from '@modelcontextprotocol/client';

/** What a server may ask of whoever calls it; each is off unless it is given. */
export interface ServerRequestHandlers {
  /** Asks a person to fill in a form or to visit a url. */
  readonly elicitation?: (params: ElicitRequestParams, context: AskContext) => Promise<ElicitResult>;
  /** Asks for a completion by the caller's model. */
  readonly sampling?: (
    params: CreateMessageRequestParams,
    context: AskContext,
  ) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
  /** Asks which folders the caller works in. */
  readonly roots?: (context: AskContext) => Promise<readonly Root[]>;
}

/** Who asks, and until when the answer is wanted. */
export interface AskContext {
  readonly server: string;
  readonly signal: AbortSignal;
}

export interface ServerRequestsOptions {
  readonly server: string;
  readonly allows: { readonly elicitation: boolean; readonly sampling: boolean };
  /** The handlers of the hub, for what belongs to no single call. */
  readonly fallback: ServerRequestHandlers;
}

const METHOD_NOT_FOUND = -32_601;

/** Answers what one server asks: by the only call in flight, else by the hub, else not at all. */
export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  #callsInFlight = 0;
  /** Two calls may bring the same handlers, and are two calls all the same. */
  readonly #offered: ServerRequestHandlers[] = [];

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
  }

  /** What we tell the server that it may ask. */
  get capabilities(): ClientCapabilities {
    const { allows, fallback } = this.#options;
    return {
      ...(allows.elicitation && { elicitation: { form: { applyDefaults: true }, url: {} } }),
      ...(allows.sampling && { sampling: { tools: {} } }),
      ...(fallback.roots && { roots: {} }),
    };
  }

  /** Keeps a call's handlers while it runs, until `end` is told. */
  begin(handlers: ServerRequestHandlers | undefined): void {
    this.#callsInFlight += 1;
    if (handlers) this.#offered.push(handlers);
  }

  end(handlers: ServerRequestHandlers | undefined): void {
    this.#callsInFlight -= 1;
    if (handlers) this.#offered.splice(this.#offered.indexOf(handlers), 1);
  }

  register(client: Client): void {
    const { allows, fallback, server } = this.#options;
    if (allows.elicitation) {
      client.setRequestHandler('elicitation/create', (request, { mcpReq }) => {
        const elicit = this.#handler('elicitation');
        return elicit ? elicit(request.params, { server, signal: mcpReq.signal }) : { action: 'decline' };
      });
    }
    if (allows.sampling) {
      client.setRequestHandler('sampling/createMessage', (request, { mcpReq }) => {
        const sample = this.#handler('sampling');
        if (!sample) throw refusal('sampling/createMessage');
        return sample(request.params, { server, signal: mcpReq.signal });
      });
    }
    if (fallback.roots) {
      client.setRequestHandler('roots/list', async (_request, { mcpReq }) => {
        const list = this.#handler('roots');
        if (!list) throw refusal('roots/list');
        return { roots: [...(await list({ server, signal: mcpReq.signal }))] };
      });
    }
  }

  // With several calls in flight nobody can tell which of them a question belongs to.
  #handler<Kind extends keyof ServerRequestHandlers>(kind: Kind): ServerRequestHandlers[Kind] {
    const own = this.#callsInFlight === 1 ? this.#offered[0]?.[kind] : undefined;
    return own ?? this.#options.fallback[kind];
  }
}

function refusal(method: string): Error {
  return Object.assign(new Error(`${method} is not offered here`), { code: METHOD_NOT_FOUND });
}
