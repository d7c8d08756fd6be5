import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Hub } from '../hub/hub.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { EventLog } from '../session/event-log.ts';
import type { Session } from '../session/session.ts';
import { onEveryEvent } from './hub-event-stream.ts';
import type { HubEvent } from './hub-event-stream.ts';

/** Where commands write down what happens. */
export function eventsFile(stateFolder: string): string {
  return join(stateFolder, 'events', 'events.jsonl');
}

export interface RecorderOptions {
  readonly file: string;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly logger: Logger;
}

const CALL_EVENTS = ['tool-started', 'tool-invoked', 'approval-asked', 'approval-decided'] as const;

/** Writes down what happens in a hub and in sessions; that it cannot is told once and stops nothing. */
export class EventRecorder {
  readonly #options: RecorderOptions;
  /** Servers of which something else was told than that they are gone. */
  readonly #known = new Set<string>();
  #log: EventLog | undefined;
  #hasWarned = false;

  private constructor(options: RecorderOptions) {
    this.#options = options;
  }

  static async open(options: RecorderOptions): Promise<EventRecorder> {
    const recorder = new EventRecorder(options);
    await recorder.#open();
    return recorder;
  }

  /** Writes down the calls of a session too. */
  follow({ dispatcher }: Session): void {
    for (const type of CALL_EVENTS) dispatcher.subscribe(type, (event) => this.#log?.write(event));
  }

  /** Resolves when everything is written, as far as it can be. */
  async close(): Promise<void> {
    await this.#log?.close();
  }

  async #open(): Promise<void> {
    const { file, hub, clock } = this.#options;
    try {
      const onError = (error: unknown): void => this.#warn(error);
      this.#log = await EventLog.open({ file, clock, scrubber: hub.scrubber, onError });
      onEveryEvent(hub, (event) => {
        if (this.#isNews(event)) this.#log?.write(event);
      });
    } catch (error) {
      this.#warn(error);
    }
  }

  /** A hub that closes takes leave of every server, also of those that nobody ever called. */
  #isNews(event: HubEvent): boolean {
    const { type, server } = event;
    if (type === 'server-changed' && event.change === 'removed') return this.#known.delete(server);
    if (type === 'tools-changed') return this.#known.has(server);
    this.#known.add(server);
    return true;
  }

  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.logger.log('warn', `events are not recorded: ${messageOf(error)}`);
  }
}
