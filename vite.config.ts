import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  // React's DOM and the page are one chunk: nothing in it could wait for a second request.
  build: { target: 'es2022', sourcemap: true, chunkSizeWarningLimit: 600 },
  test: { environment: 'node', include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'] },
});
