import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  // React's DOM and the page are one chunk: nothing in it could wait for a second request.
  build: { target: 'es2022', sourcemap: true, chunkSizeWarningLimit: 600 },
  // Patience is for machines under load: no test waits for time to pass.
  test: {
    environment: 'node',
    // Tests leave nothing behind, so files may share the modules that they load: half the time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.mjs'],
  },
});
