// A QR code as one path. Always dark on light, whatever the theme: many readers know nothing else.

import { useEffect, useState } from 'react';

/** Above this many characters the code is too dense for a phone across a room; the largest code holds 2,953. */
const MAX_CHARACTERS = 2_300;
const QUIET_MODULES = 4;

type Modules = readonly (readonly boolean[])[];

export function QrCode({ text }: { readonly text: string }) {
  const [modules, setModules] = useState<Modules>();
  const fits = text.length <= MAX_CHARACTERS;

  useEffect(() => {
    if (!fits) return;
    let wanted = true;
    // The encoder is loaded when it is needed.
    void import('uqr').then(({ encode }) => wanted && setModules(encode(text, { ecc: 'L', border: 0 }).data));
    return () => {
      wanted = false;
    };
  }, [text, fits]);

  if (!fits) return <p className="reason">The link is too long for a QR code. Copy it instead.</p>;
  if (modules === undefined) return <div className="qr" />;
  const size = modules.length + 2 * QUIET_MODULES;
  return (
    <svg className="qr" role="img" aria-label="QR code" viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#FFFFFF" />
      <path d={pathOf(modules)} fill="#000000" />
    </svg>
  );
}

function pathOf(modules: Modules): string {
  let path = '';
  for (const [y, row] of modules.entries()) {
    for (const [x, dark] of row.entries()) {
      if (dark) path += `M${x + QUIET_MODULES} ${y + QUIET_MODULES}h1v1h-1z`;
    }
  }
  return path;
}
