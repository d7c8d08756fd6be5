import type { JsonObject } from '../call/tool-ref.ts';

/** What each tool takes and returns, by the name an agent sees; `fairlead types` writes a file that fills it in. */
export interface ToolTypes {}

/** The names of the tools whose types are known. */
export type ToolName = Extract<keyof ToolTypes, string>;

/** The arguments of a tool, as far as they are known. */
export type ParamsOf<Address> = Address extends ToolName
  ? ToolTypes[Address] extends { readonly params: infer Params }
    ? Params
    : JsonObject
  : JsonObject;

/** The structured content of a tool's result, as far as it is known. */
export type StructuredOf<Address> = Address extends ToolName
  ? ToolTypes[Address] extends { readonly result: infer Result }
    ? Result
    : unknown
  : unknown;

/** What follows the address in a call; arguments may be left out where none is required. */
export type CallArguments<Address, Options> =
  Partial<ParamsOf<Address>> extends ParamsOf<Address>
    ? [args?: ParamsOf<Address>, options?: Options]
    : [args: ParamsOf<Address>, options?: Options];
