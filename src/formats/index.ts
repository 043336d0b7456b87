export { openTraceDat, TraceDat } from './trace_dat/open_trace_dat.ts';
