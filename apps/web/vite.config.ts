import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const ownSources = /\/(?:features\/[^/]+\/(?:web|contract)|kit\/(?:web|contract)|packages\/[^/]+)\//

export default defineConfig({
  plugins: [react()],
  build: {
    manifest: true,
    target: ['chrome125', 'firefox128', 'safari17.5'],
    // light-dark() of the tokens is left as it is
    cssTarget: ['chrome125', 'firefox128', 'safari17.5'],
    reportCompressedSize: false,
    rolldownOptions: {
      treeshake: {
        // a part that a door exports and nobody uses stays out of the bundle; styles count as used
        moduleSideEffects: (id) => !ownSources.test(id) || id.includes('.css'),
      },
    },
  },
})
