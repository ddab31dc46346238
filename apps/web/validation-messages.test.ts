import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import config from './vite.config.ts'

const entry = 'virtual:form'
const form = `
  import { fieldProblems } from '@headwater/web-kit/form/field-problems.ts'
  import { z } from 'zod'
  export default fieldProblems(z.object({ name: z.string(), size: z.number().max(9) }), { size: 10 })
`

test('forms in the built web application have the validation messages of the server', async () => {
  const { plugins = [], build: options } = await config({ command: 'serve', mode: 'production' })
  const { output } = (await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'silent',
    plugins: [
      ...plugins,
      {
        name: 'form',
        resolveId: (id: string) => (id === entry ? id : undefined),
        load: (id: string) => (id === entry ? form : undefined),
      },
    ],
    build: {
      ...options,
      write: false,
      manifest: false,
      rolldownOptions: { ...options?.rolldownOptions, input: entry, preserveEntrySignatures: 'strict' },
    },
  })) as Rolldown.RolldownOutput
  const { code } = output.find((file) => file.type === 'chunk' && file.isEntry) as Rolldown.OutputChunk
  const { default: problems } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    default: unknown
  }
  expect(problems).toEqual([
    { field: 'name', message: 'This field is required.' },
    { field: 'size', message: 'This must be at most 9.' },
  ])
})
