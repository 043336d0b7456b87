import { describe, expect, it } from 'vitest';
import { insertAt, removeAt, removeItem } from './lists.ts';

describe('short lists', () => {
  it('take an item in at the front, in the middle and at the end', () => {
    const list = ['b', 'd'];
    insertAt(list, 0, 'a');
    insertAt(list, 2, 'c');
    insertAt(list, 4, 'e');
    expect(list).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('give an item away from any place', () => {
    const list = ['a', 'b', 'c', 'd'];
    removeAt(list, 3);
    removeAt(list, 1);
    removeAt(list, 0);
    expect(list).toEqual(['c']);
    removeAt(list, 0);
    expect(list).toEqual([]);
  });

  it('leave out what is not there', () => {
    const list = ['a', 'b'];
    removeItem(list, 'x');
    removeItem(list, 'a');
    expect(list).toEqual(['b']);
  });
});
