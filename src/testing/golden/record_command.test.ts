import { expect, test } from 'vitest';
import { comparedPairs } from './compare.ts';
import { openGolden } from './golden_files.ts';
import { recordedJson } from './record_command.ts';

const golden = openGolden('golden');

// The committed summaries were made from the text of trace-cmd's own report, before this project could read recordings.
test.each(comparedPairs(golden, [], []))(
  'the summary of $workload on $recordedKernel is what its recording says',
  ({ recordedKernel, workload }) => {
    const made = recordedJson(golden, `${recordedKernel}/${workload}`);
    expect(made.ok ? JSON.parse(made.value) : made.error).toEqual(golden.recorded(recordedKernel, workload));
  },
);

test('a recording that is not there is named', () => {
  expect(recordedJson(golden, '6.1.176-deb/nothing')).toMatchObject({ ok: false });
  expect(recordedJson(golden, '5.0/usleep')).toEqual({ ok: false, error: 'There is no recording 5.0/usleep.dat.' });
});
