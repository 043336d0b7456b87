import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addSlot, arm, cancel, createHeap, isPending, peek, pop } from './indexed_heap.ts';

test('slots come out by time, then class, then order of arming, whatever was re-armed or cancelled between', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('arm'), slot: fc.nat(9), when: fc.nat(20) }),
    fc.record({ do: fc.constant('cancel'), slot: fc.nat(9), when: fc.constant(0) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const heap = createHeap();
      for (let i = 0; i < 10; i++) addSlot(heap, i % 3);
      const model = new Map<number, { when: number; seq: number }>();
      let seq = 0;
      for (const s of steps) {
        if (s.do === 'cancel') {
          cancel(heap, s.slot);
          model.delete(s.slot);
        } else if (model.get(s.slot)?.when !== s.when) {
          arm(heap, s.slot, s.when);
          model.set(s.slot, { when: s.when, seq: seq++ });
        } else arm(heap, s.slot, s.when);
        for (let i = 0; i < 10; i++) expect(isPending(heap, i)).toBe(model.has(i));
      }
      const expected = [...model]
        .sort(([a, x], [b, y]) => x.when - y.when || (a % 3) - (b % 3) || x.seq - y.seq)
        .map(([slot]) => slot);
      const got: number[] = [];
      while (peek(heap) >= 0) got.push(pop(heap));
      expect(got).toEqual(expected);
    }),
  );
});
