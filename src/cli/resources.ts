import type { Resource, ResourceTemplate } from '../connection/catalog.ts';
import { formatBytes } from './byte-size.ts';
import type { Command } from './command.ts';
import { withServer } from './hub-session.ts';
import { renderNamedList } from './named-list.ts';
import type { NamedLine } from './named-list.ts';

/** `fairlead resources`: what a server has to read. */
export function runResources(command: Command): Promise<number> {
  const { flags, output, interruption } = command;
  return withServer(command, async (hub, server) => {
    const lists = await hub.listResources(server, { signal: interruption.signal });
    if (flags.json) {
      output.json(lists);
      return;
    }
    const { resources, templates } = lists;
    const { paint, width } = output;
    if (resources.length + templates.length === 0) output.note(`${server} has no resources.`);
    output.lines(renderNamedList(resources.map(resourceLine), { width }));
    if (templates.length === 0) return;
    output.line(`${resources.length > 0 ? '\n' : ''}${paint.bold('Templates')} ${paint.dim('(fill in the braces)')}`);
    output.lines(renderNamedList(templates.map(templateLine), { width }));
  });
}

function resourceLine(resource: Resource): NamedLine {
  const size = resource.size === undefined ? undefined : formatBytes(resource.size);
  return { name: resource.uri, text: describe(resource, size) };
}

function templateLine(template: ResourceTemplate): NamedLine {
  return { name: template.uriTemplate, text: describe(template) };
}

function describe(
  { name, title, description, mimeType }: Omit<ResourceTemplate, 'uriTemplate'>,
  size?: string,
): string {
  const facts = [mimeType, size].filter((fact) => fact !== undefined).join(', ');
  return `${description ?? title ?? name}${facts === '' ? '' : ` (${facts})`}`;
}
