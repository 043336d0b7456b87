// The only door to ui/: main.tsx mounts the page through it.

export { mount } from './mount.tsx';
