// The link of this page. Scenarios begin with `#/`, so the two never meet.

const WORD = 'golden';

export interface GoldenChoice {
  readonly workload: string;
  readonly kernel: string;
}

/** Whether a link's hash asks for this page. */
export function isGoldenHash(hash: string): boolean {
  return hash === `#${WORD}` || hash.startsWith(`#${WORD}/`);
}

/** `#golden/WORKLOAD/KERNEL`; parts that are not there are ''. */
export function readGoldenHash(hash: string): GoldenChoice {
  const [, workload = '', kernel = ''] = hash.split('/');
  return { workload, kernel };
}

export function goldenHash({ workload, kernel }: GoldenChoice): string {
  return `#${WORD}/${workload}/${kernel}`;
}
