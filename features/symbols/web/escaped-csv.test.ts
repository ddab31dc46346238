import { expect, test } from 'vitest'
import { readEscapedCsv, textColumns } from './escaped-csv.ts'

test('symbols and text columns are text, numbers and dates are not', () => {
  expect(
    textColumns(['Code', 'Date(UTC)', 'Close', 'N(I)', 'T(S)', 'D(D)', 'Unit(MD-S)', 'Lot(MD-I)']),
  ).toEqual([true, false, false, false, true, false, true, false])
  expect(textColumns(['Date(UTC)', '=A_Close', 'A_T(S)'])).toEqual([false, false, true])
  expect(textColumns(['Code', 'Unit(MD-S)', 'Lot(MD-DB)'])).toEqual([true, true, false])
})

test('a download escapes text, even across chunks, and leaves numbers unchanged', async () => {
  const bytes = new TextEncoder().encode(
    'Code,Date(UTC),Close,Note(S)\n=ä|cmd,2024-01-01T00:00:00,-1.5,"@SUM(1,2)"\n',
  )
  const stream = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const blob = await readEscapedCsv(new Response(stream))
  expect(await blob.text()).toBe(
    'Code,Date(UTC),Close,Note(S)\n\'=ä|cmd,2024-01-01T00:00:00,-1.5,"\'@SUM(1,2)"\n',
  )
  expect(blob.type).toBe('text/csv;charset=utf-8')
})
