import { expect, test } from 'vitest'
import { findSandbox } from '@headwater/sandbox'
import { createCodeService } from './code-service.ts'

const service = createCodeService({ findSandbox: () => findSandbox() })

function outputOf(code: string) {
  return service.run(1, { code, data: null }, new AbortController().signal)
}

test('a code tile shows the output of its code unchanged, even very long lines', async () => {
  const line = 'x'.repeat(20_000)
  expect(await outputOf('print("x" * 20000)\nprint("end")')).toEqual({ output: `${line}\nend`, error: null })
})

test('normalises line endings, removes the last one, and omits standard error', async () => {
  const code = 'import sys\nprint("<p>\\r\\n</p>\\n")\nprint("noise", file=sys.stderr)'
  expect(await outputOf(code)).toEqual({ output: '<p>\n</p>\n', error: null })
  expect(await outputOf('print("before")\nraise ValueError("no rows")')).toEqual({
    output: 'before',
    error: 'ValueError: no rows',
  })
})
