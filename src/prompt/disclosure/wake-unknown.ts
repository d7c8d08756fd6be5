import type { Progress } from '../../call/progress.ts';
import { messageOf } from '../../errors.ts';
import type { Hub } from '../../hub/hub.ts';
import type { FailedServer } from './opened-text.ts';

export interface WakeOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Starts servers at once and waits for all; gives those that did not start. */
export async function wakeUnknown(
  hub: Hub,
  servers: readonly string[],
  { signal, onProgress }: WakeOptions,
): Promise<readonly FailedServer[]> {
  let done = 0;
  const failed: FailedServer[] = [];
  const wake = async (server: string): Promise<void> => {
    let message = `${server} is connected`;
    try {
      await hub.wake(server, signal ? { signal } : {});
    } catch (error) {
      const reason = hub.scrubber.scrub(messageOf(error));
      failed.push({ server, reason });
      message = `${server} could not be started`;
    }
    done += 1;
    onProgress?.({ progress: done, total: servers.length, message });
  };
  await Promise.all(servers.map(wake));
  return failed.toSorted((left, right) => servers.indexOf(left.server) - servers.indexOf(right.server));
}
