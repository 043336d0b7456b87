// Lets the event loop have a turn without the 4 ms that browsers add to nested timers.

/** A function whose promise resolves after other messages that wait already were delivered. One at a time. */
export function createYieldTurn(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}
