import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { McpServer } from '../config/server.ts';
import type { Connection } from '../connection/connection.ts';
import { silentLogger } from '../logger.ts';
import { NO_CATALOG_CACHE } from './catalog-cache.ts';
import { ConnectionPool } from './connection-pool.ts';
import { createEraStore } from './era-store.ts';
import { DEFAULT_HUB_LIMITS } from './hub-limits.ts';

const server = McpServer.stdio('one', 'never-started');

function createPool(): ConnectionPool {
  return new ConnectionPool({
    limits: DEFAULT_HUB_LIMITS,
    hasDirectCalls: true,
    secrets: [],
    inProcess: new Map(),
    logger: silentLogger,
    clock: systemClock,
    random: () => 0,
    version: '0.0.0',
    pidNamespace: 'off',
    handlers: {},
    eras: createEraStore(),
    catalogs: NO_CATALOG_CACHE,
    authorization: {},
  });
}

test('a connection that is still ending is taken again, even if whoever watched it has stopped', async () => {
  const pool = createPool();
  const first = pool.acquire(server, 'local');
  const { stop } = pool.watch(server, 'local', () => undefined);
  const released = pool.release(server, 'local');
  stop();
  expect(pool.acquire(server, 'local')).toBe(first);
  await released;
  expect(pool.acquire(server, 'local')).toBe(first);
  await pool.close();
});

test('whoever stops watching while the others are told of the next connection is not told any more', async () => {
  const pool = createPool();
  const told: string[] = [];
  const watch = (name: string, onReplaced: (connection: Connection) => void): (() => void) =>
    pool.watch(server, 'local', (next) => {
      told.push(name);
      onReplaced(next);
    }).stop;
  pool.acquire(server, 'local');
  watch('first', () => stopSecond());
  const stopSecond = watch('second', () => undefined);
  await pool.release(server, 'local');
  expect(told).toEqual(['first']);
  await pool.close();
});
