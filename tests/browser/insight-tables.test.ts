import type { Locator } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import type { Session } from '@headwater/server/testing'
import { accessibilityProblems } from './open-browser.ts'
import { setUpPrices } from './set-up-prices.ts'

const {
  longGroup,
  makeInsight,
  open,
  edit,
  tile,
  tab,
  field,
  stored,
  choose,
  line,
  entry,
  table,
  typed,
  cells,
  cell,
  css,
  ...users
} = setUpPrices()

let anna: Session
beforeAll(() => {
  anna = users.anna()
})

test('IN-192 IN-193 IN-194 IN-207 the editor sets header, text, colours, size and unit of a table column', async () => {
  const columns = [
    { columnId: 'Value', textStyle: 'lighter' },
    { columnId: 'Share', isNumber: true, unit: '%' },
  ]
  const rows = 'Name,Value,Share\nAnn,1234.5,40\nBob,7,60'
  await makeInsight('Columns', [table('T', typed(rows, { columns }))])
  const page = await edit('Columns', 'T')
  await tab(page, 'Columns')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Value', exact: true }).click()
  await field(page, 'Header').fill('Price')
  await choose(field(page, 'Align'), 'Center')
  await expect.poll(() => field(page, 'Style').inputValue()).toBe('Lighter')
  expect(await choose(field(page, 'Style'), 'Bold')).toEqual(['Bold', 'Normal', 'Lighter'])
  await choose(field(page, 'Value type'), 'Numbers')
  await field(page, 'Unit').fill('$')
  await field(page, 'Unit before the value').check()
  await field(page, 'Width').fill('200')
  await field(page, 'Font size').fill('16')
  await choose(field(page, 'Text colour'), 'Red')
  await choose(field(page, 'Background'), 'Grey')
  const saved = await stored(page, 'Columns')
  expect((saved.columns as object[])[0]).toMatchObject({ columnId: 'Name', textStyle: 'normal' })
  expect((saved.columns as object[])[1]).toMatchObject({
    columnId: 'Value',
    header: 'Price',
    textAlign: 'center',
    textStyle: 'bold',
    isNumber: true,
    unit: '$',
    unitOnFront: true,
    columnWidth: 200,
    fontSize: 16,
    textColor: '--series-4',
    bgColor: '--text-3',
  })
  await tile(page, 'T').getByRole('columnheader', { name: 'Price' }).waitFor()
  const displayed = cell(page, 'T', 0, 2)
  await expect.poll(() => displayed.textContent()).toBe('$1,234.5')
  expect(await cell(page, 'T', 0, 3).textContent()).toBe('40\u00a0%')
  expect(await css(displayed, 'text-align')).toBe('center')
  expect(await css(displayed, 'width')).toBe('200px')
  const text = displayed.locator('span')
  expect(await css(text, 'font-weight')).toBe('600')
  expect(await css(text, 'font-size')).toBe('16px')
  expect(await css(text, 'color')).not.toBe(await css(cell(page, 'T', 0, 1).locator('span'), 'color'))
  expect(await css(text, 'background-color')).not.toBe('rgba(0, 0, 0, 0)')
})

test('IN-195 IN-196 IN-208 dropdown and query dropdown cells select the series whose latest value an async cell shows', async () => {
  const columns = [
    { columnId: 'Code', columnType: 'dropdown', columnDropdownGroupName: longGroup },
    { columnId: 'Region', columnType: 'queryDropdown', columnDropdownGroupName: longGroup },
    {
      columnId: 'Latest',
      columnType: 'async',
      columnAsyncGroupName: longGroup,
      columnAsyncColumn: 'Close',
      asyncFilters: [
        { name: 'Code', value: '{{Code}}' },
        { name: 'Region', value: '{{Region}}' },
      ],
    },
  ]
  await makeInsight('Choices', [table('T', typed('Name,Code\nfirst,Brent\nsecond,', { columns }))])
  const page = await open('Choices')
  const code = (row: number) => tile(page, 'T').getByLabel(`Code, row ${row}`, { exact: true })
  const region = (row: number) => tile(page, 'T').getByLabel(`Region, row ${row}`, { exact: true })
  await expect.poll(() => code(1).inputValue()).toBe('Brent')
  expect(await cells(page, 'T', 4)).toEqual(['', ''])
  await region(1).fill('E')
  await expect
    .poll(() =>
      tile(page, 'T')
        .locator('datalist')
        .first()
        .locator('option')
        .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value)),
    )
    .toEqual(['Any', 'EU'])
  await region(1).fill('EU')
  await region(1).press('Enter')
  await expect.poll(() => cells(page, 'T', 4)).toEqual(['130', ''])

  await code(2).hover()
  await expect.poll(() => code(2).locator('option').allTextContents()).toEqual([' ', 'Any', 'Brent', 'WTI'])
  await code(2).selectOption('Any')
  await region(2).fill('US')
  await region(2).press('Enter')
  await expect.poll(() => cells(page, 'T', 4)).toEqual(['130', '230'])

  // Choices of a reader are not stored; those of an editor are.
  await page.reload()
  await expect.poll(() => code(1).inputValue()).toBe('Brent')
  await expect.poll(() => region(1).inputValue()).toBe('')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'T').getByRole('heading', { name: 'T' }).click()
  await code(2).hover()
  await code(2).selectOption('Any')
  await region(2).fill('US')
  await region(2).press('Enter')
  await expect.poll(() => cells(page, 'T', 4)).toEqual(['', '230'])
  const saved = await stored(page, 'Choices')
  expect(saved.dataContent).toBe('Name,Code,Region\nfirst,Brent,\nsecond,*,US')
})

test('IN-195 IN-196 the editor adds dropdown and async columns; choices are stored with their row', async () => {
  await makeInsight('Added columns', [table('T', { lastTypeAmount: 2 })], {
    T: { symbols: [entry(longGroup, 'Brent', 'EU')] },
  })
  const page = await edit('Added columns', 'T')
  await tab(page, 'Columns')
  await choose(field(page, 'Add a column'), 'Dropdown')
  expect(await choose(field(page, 'Column type'), 'Dropdown')).toEqual([
    'Text',
    'Dropdown',
    'Query dropdown',
    'Async (time-series data)',
  ])
  await field(page, 'Group').fill('Gas')
  await page.getByRole('option', { name: 'Gas', exact: true }).click()
  await page.getByRole('tabpanel').getByLabel('Symbol key', { exact: true }).fill('Code')
  await field(page, 'Header').fill('Compared with')
  await choose(field(page, 'Add a column'), 'Async (time-series data)')
  await field(page, 'Group of the series').fill('Gas')
  await page.getByRole('option', { name: 'Gas', exact: true }).click()
  await field(page, 'Value column').fill('Close')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await field(page, 'Symbol key').last().fill('Code')
  await field(page, 'Value').fill('{{Choice}}')
  const chosen = tile(page, 'T').getByLabel('Compared with, row 1')
  await chosen.hover()
  await chosen.selectOption('TTF')
  await expect.poll(() => cells(page, 'T', 6)).toEqual(['12,\n345,700', ''])
  const saved = await stored(page, 'Added columns')
  expect(saved.cells).toEqual({ 'Brent|EU|2026-01-30T00:00:00': { Choice: 'TTF' } })
  expect(saved.columns).toMatchObject([
    {},
    {},
    {},
    {},
    { columnId: 'Choice', columnType: 'dropdown', columnDropdownGroupName: 'Gas', columnDropdownKey: 'Code' },
    {
      columnId: 'Lookup',
      columnType: 'async',
      columnAsyncGroupName: 'Gas',
      asyncFilters: [{ name: 'Code', value: '{{Choice}}' }],
    },
  ])
})

test('IN-198 IN-199 header, odd rows, even rows and the footer each have align, colour, style, background and font size', async () => {
  const rowConfigs = [
    { id: 'Header', align: 'right', style: 'bold', color: '--series-6', fontSize: 14 },
    { id: 'Row 1', align: 'center', style: 'lighter', color: '--series-7', fontSize: 15 },
    { id: 'Row 2', align: 'right', style: 'bold', color: '--series-8', fontSize: 16 },
  ]
  await makeInsight('Rows', [
    table('T', {
      ...typed('Name,Value\nAnn,1\nBob,2\nCleo,3', { columns: [{ columnId: 'Value', footer: 'Sum' }] }),
      rowConfigs,
    }),
  ])
  const page = await edit('Rows', 'T')
  await tab(page, 'Rows')
  for (const [id, background, ...set] of [
    ['Header', 'Blue', 'right', 'bold', 'Gold', '14'],
    ['Odd rows', 'Orange', 'center', 'lighter', 'Cyan', '15'],
    ['Even rows', 'Green', 'right', 'bold', 'Brown', '16'],
    ['Footer', 'Red', 'Same as column', 'normal', 'Auto', ''],
  ] as const) {
    await page.getByRole('button', { name: id, exact: true }).click()
    const values = ['align', 'style', 'colour', 'font size'].map((name) =>
      field(page, `${id}, ${name}`).inputValue(),
    )
    expect(await Promise.all(values)).toEqual(set)
    await choose(field(page, `${id}, background`), background)
  }
  await choose(field(page, 'Footer, align'), 'left')
  await choose(field(page, 'Footer, style'), 'lighter')
  await choose(field(page, 'Footer, colour'), 'Purple')
  await field(page, 'Footer, font size').fill('20')
  expect((await stored(page, 'Rows')).rowConfigs).toEqual([
    { ...rowConfigs[0], background: '--series-1' },
    { ...rowConfigs[1], background: '--series-2' },
    { ...rowConfigs[2], background: '--series-3' },
    {
      id: 'Footer',
      align: 'left',
      style: 'lighter',
      color: '--series-5',
      background: '--series-4',
      fontSize: 20,
    },
  ])
  const rows = tile(page, 'T').getByRole('row')
  await expect.poll(() => rows.count()).toBe(5)
  const backs = await Promise.all((await rows.all()).map((row) => css(row, 'background-color')))
  expect(new Set(backs).size).toBe(4)
  expect(backs[1]).toBe(backs[3])
  const looks = (locator: Locator) =>
    Promise.all(['text-align', 'font-weight', 'font-size', 'color'].map((name) => css(locator, name)))
  const [odd, even] = [0, 1].map((row) => cell(page, 'T', row, 1).locator('span'))
  const head = tile(page, 'T').getByRole('columnheader', { name: 'Name' })
  const footer = tile(page, 'T').getByText('Sum 6')
  expect((await looks(odd!)).slice(0, 3)).toEqual(['center', '300', '15px'])
  expect((await looks(even!)).slice(0, 3)).toEqual(['end', '600', '16px'])
  expect((await looks(head)).slice(1, 3)).toEqual(['600', '14px'])
  expect(await css(head, 'justify-content')).toBe('flex-end')
  expect((await looks(footer)).slice(0, 3)).toEqual(['start', '300', '20px'])
  const rowColours = [odd!, even!, head, footer].map(async (locator) => (await looks(locator))[3])
  expect(new Set(await Promise.all(rowColours)).size).toBe(4)
})

test('IN-200 buttons, keys and the menu add and duplicate typed rows; cells are edited in the table', async () => {
  await makeInsight('Typed', [table('T', { source: { type: 'EDITOR' } })])
  const page = await edit('Typed', 'T')
  await tab(page, 'Data')
  await page.getByRole('button', { name: 'Add row' }).click()
  const at = (column: string, row: number) =>
    tile(page, 'T').getByLabel(`${column}, row ${row}`, { exact: true })
  await at('Column 1', 1).fill('Ann')
  await at('Column 1', 1).press('Enter')
  await at('Column 1', 1).fill('Eve')
  await at('Column 1', 1).press('Escape')
  await expect.poll(() => at('Column 1', 1).inputValue()).toBe('Ann')
  await at('Column 2', 1).fill('say "hi", 7')
  await at('Column 2', 1).press('Enter')
  await page.getByRole('button', { name: 'Duplicate row' }).click()
  await at('Column 1', 2).fill('Bob')
  await at('Column 1', 2).press('Control+d')
  await at('Column 1', 3).waitFor()
  await at('Column 1', 1).focus()
  await page.keyboard.press('Insert')
  await at('Column 1', 4).waitFor()
  await at('Column 1', 4).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete row' }).click()
  await at('Column 1', 4).waitFor({ state: 'detached' })
  await at('Column 1', 3).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Duplicate row/ }).click()
  await at('Column 1', 4).waitFor()
  expect((await stored(page, 'Typed')).dataContent).toBe(
    ['Column 1,Column 2', 'Ann,"say ""hi"", 7"', ',', 'Bob,"say ""hi"", 7"', 'Bob,"say ""hi"", 7"'].join(
      '\n',
    ),
  )
  await expect.poll(() => cells(page, 'T', 1)).toEqual(['Ann', '', 'Bob', 'Bob'])
})

test('IN-202 IN-203 IN-204 a table sorts by several columns and has sticky rows and columns', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Column with a long name ${index}`)
  const rows = Array.from({ length: 60 }, (_, row) =>
    names.map((_, index) => (index === 0 ? row % 3 : (60 - row) * index)),
  )
  await makeInsight('Staying', [table('T', typed([names, ...rows].map((row) => row.join(',')).join('\n')))])
  const page = await edit('Staying', 'T')
  await tab(page, 'Rows')
  await choose(field(page, 'Add a column to sort by'), names[0]!)
  expect(await choose(field(page, names[0]!), 'Descending')).toEqual(['Ascending', 'Descending'])
  await choose(field(page, 'Add a column to sort by'), names[1]!)
  await field(page, 'Frozen rows').fill('2')
  await field(page, 'Frozen columns').fill('1')
  expect(await stored(page, 'Staying')).toMatchObject({
    sortingColumns: [
      { columnName: names[0], id: names[0], sortOrder: 'Descending' },
      { columnName: names[1], id: names[1], sortOrder: 'Ascending' },
    ],
    stickyRows: 2,
    stickyColumns: 1,
  })
  await expect.poll(async () => (await cells(page, 'T', 2)).slice(0, 3)).toEqual(['1', '4', '7'])
  const at = async (row: number, column: number) => {
    const { x, y } = (await cell(page, 'T', row, column).boundingBox())!
    return { x: Math.round(x), y: Math.round(y) }
  }
  const before = { corner: await at(0, 1), second: await at(1, 1) }
  await tile(page, 'T')
    .getByRole('grid')
    .evaluate((element) => element.scrollTo(600, 700))
  await cell(page, 'T', 24, 1).waitFor()
  await expect.poll(async () => ({ corner: await at(0, 1), second: await at(1, 1) })).toEqual(before)
  expect((await at(24, 1)).x).toBe(before.corner.x)
})

test('IN-205 IN-206 IN-209 the group-name column is as wide as its longest name; long numbers break after their first comma, even in a German browser', async () => {
  await makeInsight(
    'Groups',
    [table('Short', { showGroupName: true }), table('Long', { showGroupName: true })],
    {
      Short: { symbols: [entry('Gas', 'TTF')] },
      Long: { symbols: [entry('Gas', 'TTF'), entry(longGroup, 'WTI', 'US')] },
    },
  )
  const page = await open('Groups', { locale: 'de-DE' })
  await tile(page, 'Short').getByRole('columnheader', { name: 'Group name' }).waitFor()
  const width = async (title: string) => (await cell(page, title, 0, 1).boundingBox())!.width
  expect(await width('Short')).toBe(106)
  await cell(page, 'Long', 0, 1).waitFor()
  expect(await width('Long')).toBe(8 * 20 + 38)
  expect(await cell(page, 'Short', 0, 1).textContent()).toBe('Gas')
  expect(new Set((await cells(page, 'Long', 1)).slice(0, 2))).toEqual(new Set(['Gas', longGroup]))
  expect(await cell(page, 'Short', 0, 4).textContent()).toBe('12,\n345,700')
  const lines = await cell(page, 'Short', 0, 4)
    .locator('span')
    .evaluate((text) => text.getClientRects()[0]!.height / parseFloat(getComputedStyle(text).lineHeight))
  expect(Math.floor(lines)).toBe(2)
})

test('IN-210 IN-211 IN-212 IN-213 rules of conditional formatting style the cells that meet them', async () => {
  await makeInsight('Rules', [table('T', typed('Name,Value,Tags\nAnn,1,"a, bc"\nBob,20,b\nCleo,3,c'))])
  const page = await edit('Rules', 'T')
  await tab(page, 'Style')
  const rule = (index: number) => page.getByRole('group', { name: `Rule ${index}` })
  const add = page.getByRole('button', { name: 'Add rule' })
  await add.click()
  const targets = await choose(rule(1).getByLabel('Apply to'), 'Value')
  expect(targets).toEqual([
    'All cells',
    'First row',
    'Last row',
    'Header',
    'Odd rows',
    'Even rows',
    'Footer',
    'Name',
    'Value',
    'Tags',
  ])
  expect(await choose(rule(1).getByLabel('Condition'), 'not between')).toEqual([
    '>',
    '>=',
    '<',
    '<=',
    '==',
    '!=',
    'between',
    'not between',
    'one of',
    'not one of',
    'regex',
    'for every different value',
    'contains',
    'does not contain',
    'includes',
    'does not include',
  ])
  await rule(1).getByLabel('From', { exact: true }).fill('2')
  await rule(1).getByLabel('To', { exact: true }).fill('9')
  await choose(rule(1).getByLabel('Text', { exact: true }), 'Blue')
  await add.click()
  await choose(rule(2).getByLabel('Apply to'), 'Last row')
  await choose(rule(2).getByLabel('Condition'), 'includes')
  await rule(2).getByLabel('Value', { exact: true }).fill('C')
  await choose(rule(2).getByLabel('Text', { exact: true }), 'Orange')
  await add.click()
  await choose(rule(3).getByLabel('Apply to'), 'Name')
  await choose(rule(3).getByLabel('Condition'), 'for every different value')
  await add.click()
  await choose(rule(4).getByLabel('Apply to'), 'First row')
  await add.click()
  await choose(rule(5).getByLabel('Apply to'), 'Even rows')
  await add.click()
  await expect.poll(() => rule(6).getByLabel('Apply to').inputValue()).toBe('All cells')
  await add.click()
  await choose(rule(7).getByLabel('Apply to'), 'Header')
  await choose(rule(7).getByLabel('Condition'), 'contains')
  await rule(7).getByLabel('Value', { exact: true }).fill('tag')
  await choose(rule(7).getByLabel('Text', { exact: true }), 'Green')
  const saved = await stored(page, 'Rules')
  expect(saved.conditionalFormatting).toMatchObject([
    {
      applyTo: 'Value',
      condition: 'not between',
      conditionValueA: '2',
      conditionValueB: '9',
      textColor: '--series-1',
    },
    { applyTo: 'LAST', condition: 'includes', conditionValueA: 'C', textColor: '--series-2' },
    { applyTo: 'Name', condition: 'for every different value' },
    { applyTo: 'FIRST', condition: '>', conditionValueA: '' },
    { applyTo: 'Row 2' },
    { applyTo: 'ALL' },
    { applyTo: 'Header', condition: 'contains', conditionValueA: 'tag', textColor: '--series-3' },
  ])
  const color = (row: number, column: number) => css(cell(page, 'T', row, column).locator('span'), 'color')
  await cell(page, 'T', 0, 1).locator('span').waitFor()
  const [normal, blue] = [await color(1, 3), await color(0, 2)]
  expect(await color(1, 2)).toBe(blue)
  expect(blue).not.toBe(normal)
  expect(await color(2, 2)).toBe(normal)
  expect(await color(2, 3)).not.toBe(normal)
  const [plainHeading, tagsHeading] = ['Value', 'Tags'].map((name) =>
    css(tile(page, 'T').getByRole('columnheader').getByText(name, { exact: true }), 'color'),
  )
  expect(await tagsHeading).not.toBe(await plainHeading)
  const backs = await Promise.all(
    [0, 1, 2].map((row) => css(cell(page, 'T', row, 1).locator('span'), 'background-color')),
  )
  expect(new Set(backs).size).toBe(3)
})

test('colour scales, data bars and icon sets can be set up in the editor and format numbers, which remain text', async () => {
  const rows = typed('Name,Change,Load,Risk\nAnn,-10,0,1\nBob,0,50,2\nCleo,20,100,3')
  await makeInsight('Scales', [table('T', rows)])
  const page = await edit('Scales', 'T')
  await tab(page, 'Style')
  const rule = (index: number) => page.getByRole('group', { name: `Rule ${index}` })
  const add = async (kind: string, column: string) => {
    await page.getByRole('button', { name: 'Add rule' }).click()
    const added = page.getByRole('group', { name: /^Rule \d/ }).last()
    expect(await added.getByLabel('Text', { exact: true }).inputValue()).toBe('Auto')
    expect(await choose(added.getByLabel('Format'), kind)).toEqual([
      'Single rule',
      'Colour scale',
      'Data bar',
      'Icon set',
    ])
    await choose(added.getByLabel('Apply to'), column)
    await expect.poll(() => added.getByLabel('Condition').count()).toBe(0)
  }
  await add('Data bar', 'Change')
  await add('Colour scale', 'Load')
  await choose(rule(2).getByLabel('Low', { exact: true }), 'Green')
  await choose(rule(2).getByLabel('Middle', { exact: true }), 'Gold')
  await choose(rule(2).getByLabel('High', { exact: true }), 'Red')
  await rule(2).getByLabel('Low value').fill('0')
  await rule(2).getByLabel('High value').fill('200')
  await add('Icon set', 'Risk')
  await choose(rule(3).getByLabel('Icons', { exact: true }), 'Signs: bad, warning, good')
  await rule(3).getByLabel('Reverse the icons').click()
  expect(await accessibilityProblems(page)).toEqual([])
  expect((await stored(page, 'Scales')).conditionalFormatting).toMatchObject([
    { kind: 'DATA_BAR', applyTo: 'Change' },
    {
      kind: 'COLOR_SCALE',
      applyTo: 'Load',
      lowColor: '--series-3',
      middleColor: '--series-6',
      highColor: '--series-4',
      lowValue: 0,
      highValue: 200,
    },
    { kind: 'ICON_SET', applyTo: 'Risk', iconSet: 'SIGNS', iconsReversed: true },
  ])

  for (const colorScheme of ['dark', 'light'] as const) {
    const darkmode = colorScheme === 'dark' ? 'ON' : 'OFF'
    await anna.call(updateSettings, { body: { settings: { darkmode } } })
    const seen = await open('Scales', { colorScheme })
    await seen.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    const value = (row: number, column: number) => cell(seen, 'T', row, column).locator('span')
    await value(2, 4).getByRole('img', { name: 'bad' }).waitFor()
    await value(0, 4).getByRole('img', { name: 'good' }).waitFor()
    const texts = [0, 1, 2].map((row) =>
      Promise.all([2, 3, 4].map((column) => value(row, column).innerText())),
    )
    expect(await Promise.all(texts)).toEqual([
      ['-10', '0', '1'],
      ['0', '50', '2'],
      ['20', '100', '3'],
    ])
    expect(await css(value(0, 2), 'background-image')).toContain('0%')
    expect(await css(value(2, 2), 'background-image')).toContain('33%')
    const backs = await Promise.all([0, 1, 2].map((row) => css(value(row, 3), 'background-color')))
    expect(new Set(backs).size).toBe(3)
    // text stays neutral on tints, and is the same as that of other cells in this scheme
    const plain = await css(value(0, 1), 'color')
    const onTints = [value(0, 2), value(2, 2), value(0, 3), value(1, 3), value(2, 3)]
    expect(await Promise.all(onTints.map((each) => css(each, 'color')))).toEqual(onTints.map(() => plain))
    expect(await accessibilityProblems(seen)).toEqual([])
  }
})

test('matches a pattern that hangs other matchers; reports an unsupported one in the tile and on the rule', async () => {
  const pattern = (conditionValueA: string) => ({
    applyTo: 'Name',
    condition: 'regex',
    conditionValueA,
    bgColor: '--series-3',
  })
  const rows = (...conditionalFormatting: object[]) =>
    typed(`Name,Value\n${'a'.repeat(499)}!,1\naaa,2`, { conditionalFormatting })
  await makeInsight('Long patterns', [
    table('Slow', rows(pattern('^(a+)+$'))),
    table('Old', rows(pattern('a(?=!)'))),
  ])
  const page = await open('Long patterns')
  const backs = (title: string) =>
    Promise.all([0, 1].map((row) => css(cell(page, title, row, 1).locator('span'), 'background-color')))
  const none = 'rgba(0, 0, 0, 0)'
  await tile(page, 'Old').getByText('Pattern ignored').waitFor()
  expect(await tile(page, 'Slow').getByText('Pattern ignored').count()).toBe(0)
  await expect.poll(() => backs('Slow')).toEqual([none, expect.not.stringContaining(none)])
  expect(await backs('Old')).toEqual([none, none])
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'Old').getByRole('heading', { name: 'Old' }).click()
  await tab(page, 'Style')
  const rule = page.getByRole('group', { name: 'Rule 1' })
  await rule.getByText('Patterns with look-ahead or look-behind').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await rule.getByLabel('Value', { exact: true }).fill('a!')
  await rule.getByText('Patterns with look-ahead').waitFor({ state: 'detached' })
  await stored(page, 'Long patterns', 'Old')
  expect(await tile(page, 'Old').getByText('Pattern ignored').count()).toBe(0)
  await expect.poll(() => backs('Old')).toEqual([expect.not.stringContaining(none), none])
})

test('IN-120 IN-213 IN-215 the tooltip of a row shows the chosen columns where their conditions hold', async () => {
  await makeInsight('Tooltips', [
    table(
      'T',
      typed('Name,Value,Note\nAnn,1,calm\nBob,20,loud', { columns: [{ columnId: 'Note', hidden: true }] }),
    ),
  ])
  const page = await edit('Tooltips', 'T')
  await tab(page, 'Menu')
  await choose(field(page, 'Add a column to the tooltip'), 'Note')
  const first = page.getByRole('group', { name: 'Tooltip line 1' })
  await first.getByLabel('Label').fill('Remark')
  await choose(first.getByLabel('Colour'), 'Green')
  await choose(first.getByLabel('Show when value is'), 'does not contain')
  await first.getByLabel('Value', { exact: true }).last().fill('angry')
  await choose(field(page, 'Add a column to the tooltip'), 'Value')
  const second = page.getByRole('group', { name: 'Tooltip line 2' })
  expect(await choose(second.getByLabel('Show when value is'), '>')).toEqual(
    expect.arrayContaining(['contains', 'does not contain', 'includes', 'does not include']),
  )
  await second.getByLabel('Value', { exact: true }).last().fill('10')
  await choose(field(page, 'Add a column to the tooltip'), 'Name')
  await page.getByRole('checkbox', { name: 'Name' }).click()
  expect((await stored(page, 'Tooltips')).tooltipConfig).toMatchObject([
    {
      value: 'Note',
      label: 'Remark',
      color: '--series-3',
      condition: '!contains',
      conditionValueA: 'angry',
      showInTooltip: true,
    },
    { value: 'Value', condition: '>', conditionValueA: '10', showInTooltip: true },
    { value: 'Name', showInTooltip: false },
  ])
  await cell(page, 'T', 0, 1).hover()
  const tooltip = page.getByRole('tooltip')
  await expect.poll(() => tooltip.innerText()).toBe('Remark\ncalm')
  expect(await tooltip.innerHTML()).toContain('var(--series-3)')
  await tile(page, 'T').getByRole('row').nth(1).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => tooltip.innerText()).toBe('Remark\nloud\nValue\n20')
  await page.keyboard.press('Escape')
  await tooltip.waitFor({ state: 'detached' })
})

test('IN-216 IN-217 IN-218 the menu of a row previews its details here and in other tiles, and scrolls smoothly to them', async () => {
  await makeInsight(
    'Actions',
    [
      table('T', { lastTypeAmount: 1, tileHeight: 'full' }),
      { id: 'w', title: 'Words', type: 'Text', tileHeight: 'full', templateContent: 'between' },
      {
        ...table('Detail', {
          lastTypeAmount: 3,
          customActionsEnabled: false,
          contextMenuActions: [{ type: 'scrollToTile', tileIds: ['T'], label: 'Up' }],
        }),
        id: 'd1',
      },
    ],
    {
      T: { symbols: [entry(longGroup, 'Brent', 'EU'), entry(longGroup, 'WTI', 'US')] },
      d1: { symbols: [entry(longGroup, 'Brent', 'EU')] },
    },
  )
  const page = await edit('Actions', 'T')
  await tab(page, 'Menu')
  await page.getByLabel('Custom actions').click()
  for (const [index, type] of ['Preview details', 'Scroll to a tile'].entries()) {
    await page.getByRole('button', { name: 'Add action' }).click()
    const action = page.getByRole('group', { name: `Action ${index + 1}` })
    await choose(action.getByLabel('Action', { exact: true }), type)
    await action.getByLabel('Tiles', { exact: true }).click()
    await page.getByRole('option', { name: 'Detail', exact: true }).click()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('group', { name: 'Action 1' }).getByLabel('Scroll to the tiles').click()
  await page.getByRole('group', { name: 'Action 2' }).getByLabel('Menu text').fill('Down')
  expect(await stored(page, 'Actions', 'T')).toMatchObject({
    customActionsEnabled: true,
    contextMenuActions: [
      { type: 'previewDetails', tileIds: ['d1'], scrollOnPreview: true },
      { type: 'scrollToTile', tileIds: ['d1'], label: 'Down' },
    ],
  })
  const wti = tile(page, 'T').getByRole('row', { name: /WTI/ })
  await wti.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Preview details', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Details · T' })
  await expect.poll(() => dialog.locator('dd').allTextContents()).toEqual(['WTI', 'US', '2026-01-30', '230'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const inView = () =>
    tile(page, 'Detail').evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= window.innerHeight
    })
  expect(await inView()).toBe(false)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex')))
    .toBe(await wti.getAttribute('aria-rowindex'))
  // The test records the scroll request to the browser, because the smoothness of scrolling depends on the speed of the
  // machine.
  await page.evaluate(() => {
    const scroll = Element.prototype.scrollIntoView
    Element.prototype.scrollIntoView = function (options) {
      const { behavior } = Object(options) as ScrollIntoViewOptions
      if (this.matches('[data-tile-id]'))
        document.body.dataset['scroll'] = `${behavior} ${this.getAttribute('data-tile-id')}`
      scroll.call(this, options)
    }
  })
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Down' }).click()
  await expect.poll(inView).toBe(true)
  await expect.poll(() => page.locator('body').getAttribute('data-scroll')).toBe('smooth d1')
  await expect.poll(() => cells(page, 'Detail', 1)).toEqual(['Brent', 'Brent', 'Brent'])
  await cell(page, 'Detail', 0, 1).click({ button: 'right' })
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toEqual(['Copy row', 'Preview details'])
  await page.keyboard.press('Escape')

  await tile(page, 'T').getByRole('heading', { name: 'T' }).scrollIntoViewIfNeeded()
  await wti.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Preview details in Detail' }).click()
  await expect.poll(inView).toBe(true)
  await expect.poll(() => cells(page, 'Detail', 1)).toEqual(['WTI', 'WTI', 'WTI'])
  await tile(page, 'Detail').getByRole('button', { name: 'Show all series' }).click()
  await expect.poll(() => cells(page, 'Detail', 1)).toEqual(['Brent', 'Brent', 'Brent'])
})

test('IN-115 IN-120 a title has an explanation and a link; dates have the format of the tile', async () => {
  await makeInsight('Explained', [table('T', { lastTypeAmount: 1 })], {
    T: { symbols: [entry('Gas', 'TTF')] },
  })
  const page = await edit('Explained', 'T')
  await tab(page, 'Style')
  await page.getByLabel('Show an explanation').click()
  await field(page, 'Explanation').fill('Where gas is traded')
  await field(page, 'Link').fill('https://example.com/ttf')
  await field(page, 'Date format').fill("d MMM yyyy 'at' HH:mm")
  expect(await stored(page, 'Explained')).toMatchObject({
    titleTooltip: true,
    titleTooltipText: 'Where gas is traded',
    titleTooltipUrl: 'https://example.com/ttf',
    dateFormat: "d MMM yyyy 'at' HH:mm",
  })
  const link = tile(page, 'T').getByRole('link', { name: 'Where gas is traded' })
  expect(await link.getAttribute('href')).toBe('https://example.com/ttf')
  await link.hover()
  await page.getByRole('tooltip', { name: 'Where gas is traded' }).waitFor()
  await expect.poll(() => cells(page, 'T', 2)).toEqual(['30 Jan 2026 at 00:00'])
})

test('charts and tables with all their settings are accessible in both colour schemes', async () => {
  await makeInsight(
    'Access',
    [
      { id: 'c', title: 'Chart', type: 'Chart', series: [line('Brent'), line('WTI', { axis: 'right' })] },
      table('T', {
        showGroupName: true,
        stickyRows: 1,
        stickyColumns: 2,
        columns: [
          { columnId: 'Close', footer: 'Average' },
          {
            columnId: 'Choice',
            columnType: 'dropdown',
            columnDropdownGroupName: 'Gas',
            columnDropdownKey: 'Code',
          },
        ],
        tooltipConfig: [{ value: 'Close' }],
        customActionsEnabled: true,
        contextMenuActions: [{ type: 'scrollToTile', tileIds: ['c'] }],
        conditionalFormatting: [{ applyTo: 'ALL', condition: '>', conditionValueA: '1' }],
      }),
      table('Typed', typed('Name,Value\nAnn,1')),
    ],
    { T: { symbols: [entry(longGroup, 'Brent', 'EU')] } },
  )
  const page = await open('Access')
  await page.locator('canvas').first().waitFor()
  await cell(page, 'T', 0, 1).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  for (const [title, tabs] of [
    ['Chart', ['Data', 'Series', 'Axes', 'Style']],
    ['T', ['Data', 'Columns', 'Rows', 'Style', 'Menu']],
    ['Typed', ['Data']],
  ] as const) {
    await tile(page, title).getByRole('heading', { name: title }).click()
    for (const name of tabs) {
      await tab(page, name)
      const closed = page.getByRole('tabpanel').locator('button[aria-expanded=false]').last()
      if (name === 'Columns' || name === 'Rows') await closed.click()
      expect({ title, name, problems: await accessibilityProblems(page) }).toEqual({
        title,
        name,
        problems: [],
      })
    }
  }
}, 240_000)
