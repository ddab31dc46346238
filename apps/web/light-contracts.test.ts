import { expect, test } from 'vitest'
import { lightenContract } from './light-contracts.ts'

test('removes the schemas of a route, keeps its address, and marks that its response is JSON', () => {
  const code = `export const save = defineRoute({
    name: 'save', method: 'POST', path: '/note/:id',
    params: z.object({ id }), body,
    output: z.array(note), errors: ['noteLocked'],
  })`
  expect(lightenContract(code)).toBe(
    "export const save = /* @__PURE__ */ defineRoute({ name: 'save', method: 'POST', path: '/note/:id', output: true })",
  )
})

test('marks every call of a declaration as pure, so that unused schemas are removed', () => {
  expect(lightenContract('export const note = z.object({ id: uuid.optional() })')).toBe(
    'export const note = /* @__PURE__ */ z.object({ id: /* @__PURE__ */ uuid.optional() })',
  )
})

test('removes the descriptions of fields', () => {
  const code =
    'export const note = z.object({ id: uuid.describe(textOf(`Id ${max()}.`)), size: z.int().describe("Bytes.").min(1) })'
  expect(lightenContract(code)).toBe(
    'export const note = /* @__PURE__ */ z.object({ id: uuid, size: /* @__PURE__ */ z.int().min(1) })',
  )
})

test('leaves functions unchanged', () => {
  const code = 'export function titleOf(note) { return clean(note.title) }\nconst read = () => note()'
  expect(lightenContract(code)).toBe(code)
})

test('removes statements that configure the validation of the server', () => {
  const functionCode = 'export function configure() { z.config(messages) }'
  expect(lightenContract(`z.config(messages)\n${functionCode}`)).toBe(`\n${functionCode}`)
})
