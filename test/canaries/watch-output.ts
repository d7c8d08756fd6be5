import { noteSink } from './sink-watch.ts';

const METHODS = ['debug', 'log', 'info', 'warn', 'error'] as const;

/** What a process writes to. */
export interface WatchedOutput {
  readonly streams: Readonly<Record<'stdout' | 'stderr', Pick<NodeJS.WriteStream, 'write'>>>;
  readonly console: Pick<Console, (typeof METHODS)[number]>;
}

/** Has everything searched that is written there. */
export function watchOutput({ streams, console }: WatchedOutput, note: typeof noteSink = noteSink): void {
  for (const [name, stream] of Object.entries(streams)) {
    const write = stream.write.bind(stream);
    stream.write = ((...args: Parameters<typeof write>) => {
      note(name, args[0]);
      return write(...args);
    }) as typeof stream.write;
  }
  for (const name of METHODS) {
    const write = console[name].bind(console);
    console[name] = (...args: unknown[]): void => {
      note('console', args);
      write(...args);
    };
  }
}
