// The link to what is shown, as text, on the clipboard, and as a QR code for a room full of phones.

import { useEffect, useState } from 'react';
import { formatInt } from '../../base/format.ts';
import { useApp } from '../app_context.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Icon } from '../parts/Icon.tsx';
import { QrCode } from './QrCode.tsx';

export function ShareDialog({ onClose }: { onClose(): void }) {
  const { link } = useApp();
  const [address, setAddress] = useState('');
  const [message, setMessage] = useState('');

  useEffect(() => {
    let wanted = true;
    void link().then((hash) => wanted && setAddress(pageAddress() + hash));
    return () => {
      wanted = false;
    };
  }, [link]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(address);
      setMessage(`Copied. ${formatInt(address.length)} characters, everything is in the link; nothing was uploaded.`);
    } catch {
      setMessage('The browser does not let the page copy. Select the link and copy it yourself.');
    }
  }

  return (
    <Dialog title="Share" onClose={onClose}>
      <p>The link carries the scenario, every switch, what was flipped on the way, and what you see now.</p>
      <div className="share-row">
        <input
          className="link-text"
          aria-label="Link"
          readOnly
          value={address}
          onFocus={(event) => event.target.select()}
        />
        <button type="button" className="button filled" onClick={() => void copy()}>
          <Icon name="copy" />
          Copy link
        </button>
      </div>
      <p className="share-message" aria-live="polite">
        {message}
      </p>
      {address !== '' && <QrCode text={address} />}
    </Dialog>
  );
}

function pageAddress(): string {
  return window.location.href.split('#')[0] ?? '';
}
