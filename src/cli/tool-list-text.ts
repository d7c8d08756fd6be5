import type { Paint } from './colour.ts';
import { renderNamedList } from './named-list.ts';
import type { NamedLine } from './named-list.ts';
import type { ListedTool } from './tool-list.ts';

export interface ListTextOptions {
  readonly paint: Paint;
  readonly width: number;
}

/** Tools under the names of their servers, a line each. */
export function renderToolList(
  tools: readonly ListedTool[],
  servers: readonly string[],
  options: ListTextOptions,
): readonly string[] {
  const { paint } = options;
  return servers.flatMap((server, index) => {
    const own = tools.filter((tool) => tool.server === server);
    const count = own.filter(({ quarantined }) => quarantined === undefined).length;
    const heading = `${paint.bold(server)} ${paint.dim(`(${count} ${count === 1 ? 'tool' : 'tools'})`)}`;
    return [
      ...(index === 0 ? [] : ['']),
      heading,
      ...renderNamedList(
        own.map((tool) => lineOf(tool, paint)),
        options,
      ),
    ];
  });
}

function lineOf({ name, description, quarantined, tool }: ListedTool, paint: Paint): NamedLine {
  if (quarantined === undefined) return { name, text: description };
  return { name: tool, text: `quarantined: ${quarantined}`, style: paint.yellow };
}
