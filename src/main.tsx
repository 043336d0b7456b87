// Mounts the page; nothing else.

import { mount } from './ui/index.ts';

const element = document.getElementById('root');
if (element !== null) mount(element);
