import { expect, test } from 'vitest'
import { z } from 'zod'
import '@headwater/contract'
import { errorsOf, factsOf, schemaOfField } from './field-facts.ts'

test('the kind of a field is derived from its schema, even inside wrappers, conversions and unions', () => {
  const upper = z.string().transform((text) => text.toUpperCase())
  const loose = z.union([z.string(), z.number()]).transform(String).catch('')
  const count = z.union([z.boolean().transform(Number), z.number().int().max(20)]).catch(0)
  expect(factsOf(z.string().optional()).kind).toBe('text')
  expect(factsOf(loose).kind).toBe('text')
  expect(factsOf(z.boolean().catch(false)).kind).toBe('flag')
  expect(factsOf(count)).toMatchObject({ kind: 'number', max: 20, isWhole: true })
  expect(factsOf(upper.pipe(z.enum(['A', 'B'])).catch('B'))).toMatchObject({
    kind: 'choice',
    choices: ['A', 'B'],
  })
  expect(factsOf(z.iso.date()).kind).toBe('date')
  expect(factsOf(z.iso.time().optional()).kind).toBe('time')
  expect(factsOf(z.array(z.string())).kind).toBe('other')
})

test('limits and units come from the schema', () => {
  expect(factsOf(z.int().min(1).nullable().catch(5))).toMatchObject({ min: 1, max: undefined, isWhole: true })
  expect(factsOf(z.coerce.number().min(0.5).max(20))).toMatchObject({ min: 0.5, max: 20, isWhole: false })
  expect(factsOf(z.string().max(60).optional()).maxLength).toBe(60)
  expect(factsOf(z.number().describe('Age.').meta({ unit: 'hours' }).catch(1)).unit).toBe('hours')
  expect(factsOf(z.number()).unit).toBeUndefined()
})

test("the value of an empty field is null, an empty text or the schema's default", () => {
  expect(factsOf(z.int().nullable().catch(2)).empty).toBeNull()
  expect(factsOf(z.string().catch('')).empty).toBe('')
  expect(factsOf(z.string().min(1).optional()).empty).toBeUndefined()
  expect(factsOf(z.string().min(1).catch('UTC')).empty).toBe('UTC')
  expect(factsOf(z.coerce.number().min(1).catch(500)).empty).toBe(500)
  expect(factsOf(z.string().min(1)).empty).toBe('')
})

test('a field is required if its schema accepts no empty value', () => {
  expect(factsOf(z.string().min(1)).isRequired).toBe(true)
  expect(factsOf(z.number()).isRequired).toBe(true)
  expect(factsOf(z.string()).isRequired).toBe(false)
  expect(factsOf(z.number().default(1)).isRequired).toBe(false)
  expect(factsOf(z.boolean()).isRequired).toBe(false)
})

test('a schema that replaces every invalid value is lenient', () => {
  expect(factsOf(z.int().min(1).catch(1)).isLenient).toBe(true)
  expect(factsOf(z.int().min(1)).isLenient).toBe(false)
})

test('errors come from the schema, one for each field', () => {
  const range = z
    .object({ from: z.number(), to: z.number() })
    .refine(({ from, to }) => from < to, { path: ['to'], error: 'This is before “From”.' })
  expect(errorsOf(range, { from: 2, to: 1 })).toEqual({ to: 'This is before “From”.' })
  expect(errorsOf(range, { from: 1, to: 2 })).toEqual({})
  expect(errorsOf(z.object({ tags: z.array(z.string().max(1)) }), { tags: ['a', 'bb', 'cc'] })).toEqual({
    tags: 'At most 1 character is allowed.',
  })
})

test('a field that the schema does not contain is a programming error', () => {
  expect(() => schemaOfField(z.object({}), 'x')).toThrow('no field “x”')
  expect(factsOf(schemaOfField(z.record(z.string(), z.number()), 'x')).kind).toBe('number')
})
