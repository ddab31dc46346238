import type { ReactElement } from 'react'
import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Combobox } from './Combobox.tsx'
import { MultiSelect } from './MultiSelect.tsx'
import { Select } from './Select.tsx'

const one = {
  label: 'Colour',
  value: 'a',
  options: [{ value: 'a', label: 'Amber' }],
  onChange: () => undefined,
}
const many = { ...one, value: ['a'] }

type Note = { hint?: string; error?: string }
const fields: Record<string, (note: Note) => ReactElement> = {
  Select: (note) => <Select {...one} {...note} />,
  Combobox: (note) => <Combobox {...one} {...note} />,
  'Combobox for any text': (note) => <Combobox {...one} {...note} allowFree />,
  MultiSelect: (note) => <MultiSelect {...many} {...note} />,
  'MultiSelect for any text': (note) => <MultiSelect {...many} {...note} allowFree />,
}

test.each(Object.keys(fields))('the hint and the error of a %s are associated with its input', (name) => {
  const inputOf = (note: Note) => {
    const markup = renderToStaticMarkup(<MantineProvider>{fields[name]!(note)}</MantineProvider>)
    const id = /<label for="([^"]+)"/.exec(markup)![1]!
    const input = [...markup.matchAll(/<input[^>]*>/g)]
      .map(([text]) => text)
      .find((text) => text.includes(`id="${id}"`))!
    const described = /aria-describedby="([^"]+)"/.exec(input)?.[1]
    const text = described && new RegExp(`<div id="${described}"[^>]*>([^<]*)<`).exec(markup)?.[1]
    return { text, isInvalid: input.includes('aria-invalid="true"') }
  }
  expect(inputOf({})).toEqual({ text: undefined, isInvalid: false })
  expect(inputOf({ hint: 'Of the line.' })).toEqual({ text: 'Of the line.', isInvalid: false })
  expect(inputOf({ error: 'Choose a colour.' })).toEqual({ text: 'Choose a colour.', isInvalid: true })
})
