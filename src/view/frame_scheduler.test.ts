import { expect, test } from 'vitest';
import { createFrameScheduler } from './frame_scheduler.ts';

function fakeFrames() {
  const waiting = new Map<number, () => void>();
  let ids = 0;
  return {
    request: (callback: () => void) => {
      waiting.set(++ids, callback);
      return ids;
    },
    cancel: (id: number) => void waiting.delete(id),
    count: () => waiting.size,
    run: () => {
      const callbacks = [...waiting.values()];
      waiting.clear();
      for (const callback of callbacks) callback();
    },
  };
}

test('several changes make one frame that paints all of them', () => {
  const frames = fakeFrames();
  const painted: number[] = [];
  const scheduler = createFrameScheduler((bits) => painted.push(bits), frames);
  scheduler.invalidate(1);
  scheduler.invalidate(4);
  scheduler.invalidate(1);
  expect(frames.count()).toBe(1);
  frames.run();
  expect(painted).toEqual([5]);
});

test('nothing dirty asks for no frame', () => {
  const frames = fakeFrames();
  createFrameScheduler(() => {}, frames).invalidate(0);
  expect(frames.count()).toBe(0);
});

test('what painting makes dirty belongs to the next frame', () => {
  const frames = fakeFrames();
  const painted: number[] = [];
  const scheduler = createFrameScheduler((bits) => {
    painted.push(bits);
    if (painted.length === 1) scheduler.invalidate(2);
  }, frames);
  scheduler.invalidate(1);
  frames.run();
  expect(painted).toEqual([1]);
  frames.run();
  expect(painted).toEqual([1, 2]);
});

test('flush paints at once and the frame that was asked for does not paint again', () => {
  const frames = fakeFrames();
  const painted: number[] = [];
  const scheduler = createFrameScheduler((bits) => painted.push(bits), frames);
  scheduler.invalidate(3);
  scheduler.flush();
  frames.run();
  expect(painted).toEqual([3]);
});

test('after stop nothing is painted', () => {
  const frames = fakeFrames();
  const painted: number[] = [];
  const scheduler = createFrameScheduler((bits) => painted.push(bits), frames);
  scheduler.invalidate(1);
  scheduler.stop();
  frames.run();
  scheduler.flush();
  expect(painted).toEqual([]);
});
