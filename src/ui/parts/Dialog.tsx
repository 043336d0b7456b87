// A modal dialog on the browser's own element: focus stays inside, Esc closes, focus goes back where it was.

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './Icon.tsx';

export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  onClose(): void;
  readonly children: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const dialog = element.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes too, the browser sees to it
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => event.target === element.current && element.current?.close()}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="button square" aria-label="Close" onClick={() => element.current?.close()}>
          <Icon name="close" />
        </button>
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}
