import type { TileCase } from './gallery-case.ts'

const regions = `Hub,Region,Date,Settlement,Volume,Trend
TTF,NL,2026-03-02,27.125,12345678,up
NBP,UK,2026-03-02,29.5,4300000,down
THE,DE,2026-03-02,31.75,998000,"up, new"
PEG,FR,2026-03-02,-1.25,87500,down
TTF,NL,2026-03-01,26.9,11845678,up
NBP,UK,2026-03-01,,4100000,
THE,DE,2026-03-01,31.5,1001000,up
PEG,FR,2026-03-01,30,85000,down`

const table = (more: object) => ({
  id: 'table',
  title: 'Gas hubs',
  type: 'Table',
  source: { type: 'EDITOR' },
  dataContent: regions,
  ...more,
})

export const tiles: Record<string, TileCase> = {
  'table-plain': {
    title: 'A table without settings (IN-205, IN-206)',
    tile: table({}),
  },
  'table-columns': {
    title:
      'Columns with custom headers, units, widths, styles, colours and date formats (IN-192 to IN-194, IN-207)',
    tile: table({
      dateFormat: 'EEE d MMM',
      columns: [
        { columnId: 'Hub', header: 'Trading hub', textStyle: 'bold', columnWidth: 120 },
        { columnId: 'Region', textAlign: 'center', textColor: '--text-3', fontSize: 11 },
        { columnId: 'Date', textStyle: 'lighter' },
        { columnId: 'Settlement', unit: '€', unitOnFront: true, bgColor: '#2b7bba22' },
        { columnId: 'Volume', unit: 'MWh', textColor: '--series-3' },
        { columnId: 'Trend', hidden: true },
      ],
    }),
  },
  'table-rows': {
    title: 'Header, odd and even rows and the footer with custom styles (IN-198, IN-199)',
    tile: table({
      columns: [
        { columnId: 'Settlement', footer: 'Average' },
        { columnId: 'Volume', footer: 'Sum' },
        { columnId: 'Trend', footer: 'Count' },
      ],
      rowConfigs: [
        {
          id: 'Header',
          style: 'bold',
          background: '--series-1',
          color: '#ffffff',
          align: 'center',
          fontSize: 13,
        },
        { id: 'Row 1', background: '#8888880f' },
        { id: 'Row 2', style: 'lighter' },
        { id: 'Footer', style: 'bold', color: '--series-2' },
      ],
    }),
  },
  'table-rules': {
    title:
      'Conditional formatting of cells, of the first row and of every different value (IN-210 to IN-213)',
    tile: table({
      conditionalFormatting: [
        { applyTo: 'FIRST', condition: 'regex', conditionValueA: '.', textStyle: 'bold' },
        { applyTo: 'Region', condition: 'for every different value' },
        { applyTo: 'Settlement', condition: '<', conditionValueA: '0', textColor: '--error' },
        {
          applyTo: 'Settlement',
          condition: 'between',
          conditionValueA: '30',
          conditionValueB: '40',
          bgColor: '#2f8f6b33',
        },
        { applyTo: 'Trend', condition: 'includes', conditionValueA: 'up', textColor: '--series-3' },
        { applyTo: 'Trend', condition: '!includes', conditionValueA: 'up', textColor: '--series-4' },
      ],
    }),
  },
  'table-scales': {
    title: 'Colour scales, data bars and icon sets in numeric columns',
    tile: table({
      dataContent: `Hub,Change,Settlement,Volume,Load,Storage,Risk
TTF,-12,27.125,12345678,10,91,7
NBP,8,29.5,4300000,35,64,55
THE,25,31.75,998000,60,38,90
PEG,-30,40,87500,85,12,20
ZTP,0,35,6400000,100,50,48`,
      conditionalFormatting: [
        { kind: 'DATA_BAR', applyTo: 'Change' },
        { kind: 'COLOR_SCALE', applyTo: 'Settlement' },
        { kind: 'ICON_SET', applyTo: 'Volume', iconSet: 'ARROWS' },
        {
          kind: 'COLOR_SCALE',
          applyTo: 'Load',
          lowColor: '--series-3',
          middleColor: '--series-6',
          highColor: '--series-4',
          lowValue: 0,
          highValue: 100,
        },
        { kind: 'ICON_SET', applyTo: 'Storage', iconSet: 'CIRCLES' },
        { kind: 'COLOR_SCALE', applyTo: 'Risk', lowColor: '#ffe9b0', highColor: '#7a0019' },
        {
          kind: 'ICON_SET',
          applyTo: 'Risk',
          iconSet: 'SIGNS',
          lowValue: 30,
          highValue: 60,
          iconsReversed: true,
        },
      ],
    }),
  },
  'table-staying': {
    title: 'Sorted by two columns, with one frozen row and two frozen columns, scrolled (IN-202, IN-204)',
    tile: table({
      sortingColumns: [
        { columnName: 'Region', sortOrder: 'Descending' },
        { columnName: 'Settlement', sortOrder: 'Ascending' },
      ],
      stickyRows: 1,
      stickyColumns: 2,
      columns: ['Date', 'Settlement', 'Volume', 'Trend'].map((columnId) => ({ columnId, columnWidth: 180 })),
    }),
    size: [480, 220],
    scrolled: [140, 60],
  },
  'table-choices': {
    title: 'Cells that are chosen from a list, and found by typing (IN-196)',
    tile: table({
      columns: [
        { columnId: 'Hub', columnType: 'dropdown' },
        { columnId: 'Region', columnType: 'queryDropdown' },
        { columnId: 'Remark', columnType: 'queryDropdown' },
      ],
    }),
  },
}
