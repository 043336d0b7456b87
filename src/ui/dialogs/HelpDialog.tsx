// The keys, and what the page is.

import { Dialog } from '../parts/Dialog.tsx';

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Space', 'play, pause'],
  [', .', 'step back, step'],
  ['W S', 'zoom in, out'],
  ['A D', 'pan'],
  ['+ − 0', 'zoom in, out, whole run'],
  ['F or Z', 'zoom to the selected segment'],
  ['← →', 'previous, next segment'],
  ['↑ ↓', 'lane above, below'],
  ['[ ]', 'follow the wake-up or the lock back, on'],
  ['Shift+A, Shift+B', 'marker A, marker B at the playhead'],
  ['Y', 'why'],
  ['?', 'this help'],
  ['Esc', 'let go of the selection'],
  ['Wheel', 'scroll the lanes'],
  ['Ctrl+wheel, pinch', 'zoom about the pointer'],
  ['Shift+wheel, sideways', 'pan'],
];

export function HelpDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Help" onClose={onClose}>
      <p>
        Spinlane runs Linux scheduling and locking in this page and draws it lane by lane. Flip a switch and see what it
        changes; click a stretch of a lane to learn why. Everything happens here: nothing is sent anywhere.
      </p>
      <h3>Keys, while the timeline has the focus</h3>
      <dl className="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href="#golden">Recorded kernels beside the simulation</a>
      </p>
    </Dialog>
  );
}
