import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { findCodeGroups } from './code-groups.ts'
import { stripRouteSchemas, noJsonSchema } from './light-contracts.ts'
import { pagePreloads } from './page-preloads.ts'

const ownSources = /\/(?:features\/[^/]+\/(?:web|contract)|kit\/(?:web|contract)|packages\/[^/]+)\//

const rolldownOptions = {
  treeshake: {
    // an unused export of an entry point stays out of the bundle; styles count as used
    moduleSideEffects: (id: string) => !ownSources.test(id) || id.includes('.css'),
  },
}

const config = {
  plugins: [react(), stripRouteSchemas(), noJsonSchema()],
  build: {
    manifest: true,
    // every browser of `target` has it
    modulePreload: { polyfill: false },
    target: ['chrome125', 'firefox128', 'safari17.5'],
    // light-dark() of the tokens stays unchanged
    cssTarget: ['chrome125', 'firefox128', 'safari17.5'],
    reportCompressedSize: false,
    rolldownOptions,
  },
} satisfies UserConfig

export default defineConfig(async ({ command }) => {
  if (command === 'serve') return config
  const files = await findCodeGroups({ ...config, root: import.meta.dirname })
  const group = {
    name: (id: string) => files.get(id) ?? null,
    debugName: 'code groups',
    includeDependenciesRecursively: false,
  }
  const output = {
    codeSplitting: { groups: [group] },
    // The first script names all others. Hexadecimal hashes of the same length compress better than Base64.
    hashCharacters: 'hex' as const,
  }
  return {
    ...config,
    plugins: [...config.plugins, pagePreloads()],
    build: { ...config.build, chunkSizeWarningLimit: 700, rolldownOptions: { ...rolldownOptions, output } },
  }
})
