import { expect, test } from 'vitest'
import { z } from 'zod'
import './index.ts'

const messages = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message)

test.each([
  ['a missing field', z.string(), undefined, 'This field is required.'],
  ['a missing choice', z.enum(['A', 'B']), undefined, 'This field is required.'],
  ['a missing union', z.union([z.string(), z.number()]), undefined, 'This field is required.'],
  ['a wrong type', z.string(), 5, 'This must be text, not a number.'],
  ['null', z.boolean(), null, 'This must be true or false, not null.'],
  ['a list', z.object({}), [], 'This must be an object, not a list.'],
  ['text', z.array(z.string()), 'a', 'This must be a list, not text.'],
  ['a fraction', z.int(), 1.5, 'This must be a whole number, not a fraction.'],
  ['text that is not a number', z.coerce.number(), 'ten', 'This must be a number.'],
  [
    'a wrong type for a union',
    z.union([z.string(), z.number()]),
    true,
    'This must be text or a number, not true.',
  ],
  ['an unknown choice', z.enum(['A', 'B']), 'C', 'This must be one of: “A”, “B”.'],
  ['a wrong constant', z.literal(1), 2, 'This must be 1.'],
  ['empty text', z.string().min(1), '', 'This must not be empty.'],
  ['a short text', z.string().min(3), 'ab', 'At least 3 characters are required.'],
  ['a long text', z.string().max(4000), 'x'.repeat(4001), 'At most 4,000 characters are allowed.'],
  ['a text of the wrong length', z.string().length(1), 'ab', 'Exactly 1 character is required.'],
  ['a short list', z.array(z.string()).min(1), [], 'At least 1 item is required.'],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'At most 1 item is allowed.'],
  ['a small number', z.number().min(1), 0, 'This must be at least 1.'],
  ['zero', z.number().positive(), 0, 'This must be more than 0.'],
  ['a large number', z.number().max(15), 16, 'This must be at most 15.'],
  ['a step', z.number().multipleOf(5), 3, 'This must be a multiple of 5.'],
  ['an unknown field', z.strictObject({}), { a: 1 }, 'Unknown field “a”. Remove it.'],
  ['unknown fields', z.strictObject({}), { a: 1, b: 2 }, 'Unknown fields “a”, “b”. Remove them.'],
  ['an e-mail address', z.email(), 'jane', 'Enter an e-mail address, for example jane@example.com.'],
  ['a pattern', z.string().regex(/^a$/), 'b', 'The format is not valid. See the description of this field.'],
])('reports the allowed values: %s', (_title, schema, value, message) => {
  expect(messages(schema, value)).toEqual([message])
})

test('preserves the message of a schema, and shortens text from the caller', () => {
  expect(messages(z.string().max(1, 'A code has one letter.'), 'ab')).toEqual(['A code has one letter.'])
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}`.repeat(500), 1]))
  const [message = ''] = messages(z.strictObject({}), many) ?? []
  expect(message).toContain('and 4 more')
  expect(message.length).toBeLessThan(700)
})
