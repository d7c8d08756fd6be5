import { expect, test } from 'vitest';
import { settle } from '../test/fixtures/manual-clock.ts';
import { Emitter } from './emitter.ts';

interface Events {
  said: string;
  counted: number;
}

test('listeners get the events of their type, in the order in which they came, before emit returns', () => {
  const emitter = new Emitter<Events>();
  const heard: unknown[] = [];
  emitter.on('said', (event) => heard.push(['first', event]));
  emitter.on('said', (event) => heard.push(['second', event]));
  emitter.on('counted', (event) => heard.push(['other', event]));
  emitter.emit('said', 'hello');
  emitter.emit('counted', 2);
  expect(heard).toEqual([
    ['first', 'hello'],
    ['second', 'hello'],
    ['other', 2],
  ]);
});

test('an event that nobody listens to is no mistake', () => {
  expect(() => new Emitter<Events>().emit('said', 'hello')).not.toThrow();
});

test('a listener that throws is reported, and the others hear the event all the same', () => {
  const errors: unknown[] = [];
  const heard: string[] = [];
  const emitter = new Emitter<Events>((error) => errors.push(error));
  const broken = new Error('broken');
  emitter.on('said', () => {
    throw broken;
  });
  emitter.on('said', (event) => heard.push(event));
  emitter.emit('said', 'hello');
  expect({ errors, heard }).toEqual({ errors: [broken], heard: ['hello'] });
});

test('an asynchronous listener that fails is reported too, instead of ending the process', async () => {
  const errors: unknown[] = [];
  const emitter = new Emitter<Events>((error) => errors.push(error));
  const broken = new Error('broken');
  emitter.on('said', async () => {
    throw broken;
  });
  emitter.emit('said', 'hello');
  await settle();
  expect(errors).toEqual([broken]);
});

test('without anyone to report to, a listener that throws is passed over', () => {
  const emitter = new Emitter<Events>();
  emitter.on('said', () => {
    throw new Error('broken');
  });
  expect(() => emitter.emit('said', 'hello')).not.toThrow();
});

test('who stops listening hears nothing more, and stopping twice is harmless', () => {
  const emitter = new Emitter<Events>();
  const heard: string[] = [];
  const stop = emitter.on('said', (event) => heard.push(event));
  emitter.emit('said', 'one');
  stop();
  stop();
  emitter.emit('said', 'two');
  expect(heard).toEqual(['one']);
});

test('a function that listens twice hears twice, and each time is stopped by itself', () => {
  const emitter = new Emitter<Events>();
  const heard: string[] = [];
  const listener = (event: string): unknown => heard.push(event);
  const stop = emitter.on('said', listener);
  emitter.on('said', listener);
  emitter.emit('said', 'both');
  stop();
  stop();
  emitter.emit('said', 'one');
  expect(heard).toEqual(['both', 'both', 'one']);
});

test('a listener that stops itself during an event costs the others nothing', () => {
  const emitter = new Emitter<Events>();
  const heard: string[] = [];
  const stop = emitter.on('said', () => {
    heard.push('once');
    stop();
  });
  emitter.on('said', () => heard.push('always'));
  emitter.emit('said', 'x');
  emitter.emit('said', 'x');
  expect(heard).toEqual(['once', 'always', 'always']);
});

test('a listener that was stopped by an earlier one during an event does not hear it', () => {
  const emitter = new Emitter<Events>();
  const heard: string[] = [];
  emitter.on('said', () => stopSecond());
  const stopSecond = emitter.on('said', (event) => heard.push(event));
  emitter.emit('said', 'x');
  expect(heard).toEqual([]);
});

test('a listener that came during an event hears the next one', () => {
  const emitter = new Emitter<Events>();
  const heard: string[] = [];
  const stop = emitter.on('said', () => {
    stop();
    emitter.on('said', (event) => heard.push(event));
  });
  emitter.emit('said', 'one');
  emitter.emit('said', 'two');
  expect(heard).toEqual(['two']);
});

test('after removeAll nobody hears anything, not even of the event under way', () => {
  const emitter = new Emitter<Events>();
  const heard: string[] = [];
  emitter.on('said', () => emitter.removeAll());
  const stop = emitter.on('said', (event) => heard.push(event));
  emitter.emit('said', 'one');
  emitter.emit('said', 'two');
  emitter.on('said', (event) => heard.push(event));
  stop();
  emitter.emit('said', 'three');
  expect(heard).toEqual(['three']);
});
