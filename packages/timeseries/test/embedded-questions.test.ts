import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openEmbeddedEngine } from '../src/index.ts'
import { describeQuestions } from './questions.spec.ts'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describeQuestions('questions to the embedded engine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'series-questions-'))
  folders.push(folder)
  return openEmbeddedEngine({ folder })
})
