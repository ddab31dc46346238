import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import '@headwater/contract'
import type { FormItems } from './form-items.ts'
import { SchemaForm, type SchemaFormProps } from './SchemaForm.tsx'

const alarm = z.object({
  name: z.string().min(1, 'Enter a name.').max(40),
  level: z.enum(['warn', 'bad']).catch('warn'),
  delay: z.int().min(1).max(60).catch(5).meta({ unit: 's' }),
  isLoud: z.boolean().catch(false),
  volume: z.number().optional(),
  link: z
    .string()
    .refine((text) => text === '' || text.startsWith('/'), 'Begin with a slash.')
    .catch(''),
})
type Alarm = z.output<typeof alarm>

const items: FormItems<Alarm> = [
  { field: 'name', label: 'Name', hint: ({ level }) => `Used for ${level}.` },
  [
    { field: 'level', label: 'Level', choices: { warn: 'Warning', bad: 'Bad' } },
    { field: 'delay', label: 'Delay' },
  ],
  {
    section: 'Sound',
    items: [
      { field: 'isLoud', label: 'Loud' },
      { field: 'volume', label: 'Volume', when: ({ isLoud }) => isLoud },
      { note: 'Sound needs a speaker.' },
    ],
  },
  { field: 'link', label: 'Link', control: ({ label, value }) => <b title={label}>{value}</b> },
]
const loud: Alarm = { name: 'Smoke', level: 'bad', delay: 9, isLoud: true, link: '/Lake' }

function draw<Values extends object>(props: Omit<SchemaFormProps<Values>, 'onChange'>): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <SchemaForm {...(props as SchemaFormProps<Values>)} onChange={() => undefined} />
    </MantineProvider>,
  )
}

/** Returns the labels of the fields in order. */
function labels(markup: string): string[] {
  return [...markup.matchAll(/<label[^>]*>(?:<input[^>]*>)?(?:<span>)?([^<]+)/g)].map(([, text]) => text!)
}

test('fields have the order and the labels of the items, with the units and limits of the schema', () => {
  const markup = draw({ schema: alarm, items, value: loud })
  expect(labels(markup)).toEqual(['Name', 'Level', 'Delay (s)', 'Loud', 'Volume'])
  expect(markup).toContain('aria-valuemin="1" aria-valuemax="60" aria-valuenow="9"')
  expect(markup).toContain('maxLength="40"')
  expect(markup).toContain('value="Bad"')
  expect(markup).toContain('<b title="Link">/Lake</b>')
  expect(markup).toContain('Sound needs a speaker.')
})

test('the label, the hint and the error of a field are associated with its control', () => {
  const field = (markup: string) =>
    /<label for="([^"]+)"[^>]*>Name<.*?<input[^>]*id="\1"([^>]*)>/.exec(markup)![2]
  const markup = draw({ schema: alarm, items, value: loud })
  const note = /aria-describedby="([^"]+)"/.exec(field(markup)!)![1]
  expect(markup).toContain(`<div id="${note}" class="_hint`)
  expect(markup).toMatch(/role="group" aria-labelledby="([^"]+)"><p id="\1"[^>]*>Sound</)
  expect(field(markup)).toContain('required=""')
  const wrong = draw({ schema: alarm, items, value: { ...loud, name: 'x'.repeat(41) } })
  expect(field(wrong)).toContain('aria-invalid="true"')
  expect(wrong).toMatch(/role="alert">At most 40 characters are allowed\.</)
})

test('a condition hides a field', () => {
  expect(labels(draw({ schema: alarm, items, value: { ...loud, isLoud: false } }))).not.toContain('Volume')
})

test('an empty required field shows its error only after the form was submitted; external errors take precedence', () => {
  const value = { ...loud, name: '' }
  expect(draw({ schema: alarm, items, value })).not.toContain('role="alert"')
  expect(draw({ schema: alarm, items, value, showMissing: true })).toContain('role="alert">Enter a name.<')
  const errors = { name: 'This name is taken. Choose another one.' }
  expect(draw({ schema: alarm, items, value, errors, showMissing: true })).toContain(errors.name)
})

test('a flag can be rendered as a choice with a label for each value', () => {
  const choices = { false: 'after', true: 'before' }
  const flag = [{ field: 'isLoud' as const, label: 'Unit position', choices }]
  expect(draw({ schema: alarm, items: flag, value: loud })).toContain('value="before"')
  expect(draw({ schema: alarm, items: flag, value: { ...loud, isLoud: false } })).toContain('value="after"')
})

test('fields can be derived from data', () => {
  const declared = [
    { name: 'Region', required: true },
    { name: 'Comment', required: false },
  ]
  const markup = draw({
    schema: z.record(z.string(), z.string()),
    items: declared.map(({ name, required }) => ({ field: name, label: name, required })),
    value: { Region: 'North' },
    disabled: true,
  })
  expect(labels(markup)).toEqual(['Region', 'Comment'])
  expect(markup).toContain('value="North"')
  expect(markup.match(/disabled=""/g)).toHaveLength(2)
})
