// The only door to golden_page/: main.tsx loads it when the link asks for it.

export { mountGolden } from './mount_golden.tsx';
