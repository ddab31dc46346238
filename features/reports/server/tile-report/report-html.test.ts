import { describe, expect, test } from 'vitest'
import { reportHtml } from './report-html.ts'
import type { ReportTile, TileReport } from './report-tile.ts'
import { reportText } from './report-text.ts'

const madeAt = new Date('2026-08-18T12:31:41Z')

function reportOf(tiles: ReportTile[], more: Partial<TileReport> = {}): TileReport {
  return { title: 'Prices', insightName: 'Prices', groupName: 'Reports', tiles, leftOut: 0, ...more }
}

const rows: ReportTile = {
  title: 'Closing prices',
  kind: 'Table',
  note: 'The newest 2 of 5 rows.',
  table: {
    header: ['Stock', 'Close'],
    isNumber: [false, true],
    rows: [
      ['A', '1,200.25'],
      ['مرحبا', '7.00'],
    ],
  },
}
const textTile = (text: string): ReportTile => ({ title: 'Words', kind: 'Text', note: '', text })

function htmlOf(tiles: ReportTile[], more: Partial<Parameters<typeof reportHtml>[0]> = {}): string {
  return reportHtml({ title: 'Weekly', report: reportOf(tiles), madeAt, ...more })
}

function textOf(tiles: ReportTile[], more: Partial<Parameters<typeof reportText>[0]> = {}): string {
  return reportText({ title: 'Weekly', report: reportOf(tiles), madeAt, ...more })
}

describe('the document', () => {
  test('contains the insight and the time, and no scripts or external resources', () => {
    const html = htmlOf([rows], { link: 'https://example.com/insight/Reports/Prices?a=1&b="2"' })
    expect(html).toContain('<h1 dir="auto">Weekly</h1>')
    expect(html).toContain(
      '<bdi>Prices</bdi> · <bdi>Reports</bdi> · <span class="whole">created 2026-08-18 12:31:41 UTC</span>',
    )
    expect(html).toContain('href="https://example.com/insight/Reports/Prices?a=1&amp;b=%222%22"')
    expect(html).not.toMatch(/<script|<img|<link|<iframe|<form|@import|url\(|src=|\son\w+=/i)
    expect(html.match(/<style>/g)).toHaveLength(1)
  })

  test('states once that charts appear as tables, with a link to the insight', () => {
    const link = 'https://example.com/x'
    const chart = { ...rows, kind: 'Chart' }
    const sentence = 'Charts appear as tables in this report. To see the charts, open the '
    const html = htmlOf([rows, chart, chart], { link })
    expect(html.split(`${sentence}<a href="${link}">insight</a>.`)).toHaveLength(2)
    expect(textOf([chart], { link })).toContain(`${sentence}insight: ${link}\n`)
    expect(htmlOf([chart])).toContain(`${sentence}insight.`)
    for (const tiles of [[rows], [{ title: 'Prices', kind: 'Chart', note: 'No data.' }]])
      for (const written of [htmlOf(tiles, { link }), textOf(tiles, { link })])
        expect(written).not.toContain('Charts appear')
  })

  test('contains tables with captions, right-aligned numbers, and a text direction per cell', () => {
    const html = htmlOf([rows])
    expect(html).toContain('<caption dir="auto">The newest 2 of 5 rows.</caption>')
    expect(html).toContain('<th scope="col" dir="auto">Stock</th>')
    expect(html).toContain('<td dir="auto" class="number">1,200.25</td>')
    expect(html).toMatch(/<td dir="auto"[^>]*>مرحبا<\/td>/)
    expect(html).toContain('@media (prefers-color-scheme: dark)')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    const unnoted = htmlOf([{ ...rows, note: '' }])
    expect(unnoted).toContain('<caption dir="auto">2 rows</caption>')
  })

  test('states why a tile is empty and how many tiles are omitted', () => {
    const html = htmlOf([{ title: 'Code', kind: 'CODE', note: 'Code runs only in the browser.' }], {
      report: reportOf([{ title: 'Code', kind: 'CODE', note: 'Code runs only in the browser.' }], {
        leftOut: 3,
      }),
    })
    expect(html).toContain('<p class="quiet" dir="auto">Code runs only in the browser.</p>')
    expect(html).toContain('3 more tiles are not part of this report.')
    expect(htmlOf([])).toContain('<h1')
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', '/insight/x', 'not an address'])(
    'does not link to %s',
    (link) => {
      const [html, text] = [htmlOf([], { link }), textOf([], { link })]
      expect(html).not.toContain('<a ')
      expect(text).not.toContain('Open the insight')
      for (const written of [html, text])
        expect(written).toContain('log in and open the insight named above.')
    },
  )

  test('escapes user text everywhere', () => {
    const evil = `<script>alert(1)</script>"'&\0\u0007\ud800`
    const tile: ReportTile = {
      title: evil,
      kind: 'Table',
      note: evil,
      table: { header: [evil], isNumber: [true], rows: [[evil], ['=1+1']] },
    }
    const report = reportOf([tile, textTile(evil)], { insightName: evil, groupName: evil })
    const html = reportHtml({ title: evil, report, madeAt })
    for (const gone of ['<script', '\0', '\u0007']) expect(html).not.toContain(gone)
    expect(html.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/g)).toHaveLength(9)
    expect(html.isWellFormed()).toBe(true)
    expect(html).toContain('>=1+1</td>')
  })
})

describe('markdown', () => {
  test('becomes paragraphs, headings, list items and code', () => {
    const html = htmlOf([
      textTile(
        '# Top #\nFirst **bold** and *it*  \nnext_line_is `a<b`\nruns on\n\n- one\n2. two\n```\n<x> **raw**\n```\nend',
      ),
    ])
    expect(html).toContain('<h3 dir="auto">Top</h3>')
    expect(html).toContain(
      '<p dir="auto">First <strong>bold</strong> and <em>it</em><br>\nnext_line_is <code>a&lt;b</code>\nruns on</p>',
    )
    expect(html).toContain('<p class="entry" dir="auto">• one</p>')
    expect(html).toContain('<p class="entry" dir="auto">2. two</p>')
    expect(html).toContain('<pre dir="auto">&lt;x&gt; **raw**</pre>')
    expect(html).toContain('<p dir="auto">end</p>')
  })

  test('has links only to web and mail URLs, no images, and unescaped punctuation', () => {
    const html = htmlOf([
      textTile(
        '[ok](https://example.com/?a=1&b=2) [bad](javascript:alert(1)) ![pic](https://example.com/x.png) 2 \\* 3 \\<b\\> [**x**](mailto:a@b.example)',
      ),
    ])
    expect(html).toContain('<a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer">ok</a>')
    expect(html).toContain('<a href="mailto:a@b.example" rel="noopener noreferrer"><strong>x</strong></a>')
    expect(html).not.toMatch(/href="javascript|x\.png|<b>/)
    expect(html).toContain('bad')
    expect(html).toContain('pic 2 * 3 &lt;b&gt;')
  })

  test.each(['[', '**a', '![](', '[a](', '`', '_a', '\\', '* '])(
    'that consists only of “%s” is parsed quickly',
    (sign) => {
      // Unbounded backtracking would take longer than the time limit of a test.
      expect(htmlOf([textTile(sign.repeat(200_000 / sign.length))])).toContain('Words')
    },
  )
})

describe('the plain text', () => {
  test('contains the titles, notes, rows and texts of the document', () => {
    const many = Array.from({ length: 12 }, (_, at) => [`s${at}`, String(at)])
    const note = 'The newest 12 of 525 rows.'
    const long: ReportTile = { ...rows, note, table: { ...rows.table!, rows: many } }
    const text = textOf([long, textTile('# Top\nGo **on** [here](https://example.com/)')], {
      link: 'https://example.com/x',
    })
    expect(text.split('\n')).toEqual([
      'Weekly',
      'Prices · Reports · created 2026-08-18 12:31:41 UTC',
      '',
      'Closing prices',
      '--------------',
      note,
      'Stock | Close',
      ...many.map((row) => row.join(' | ')),
      '',
      'Words',
      '-----',
      'Top',
      'Go on here (https://example.com/)',
      '',
      'Open the insight: https://example.com/x',
      '',
    ])
  })

  test('puts each name and cell on one line, in its own text direction', () => {
    const text = textOf([
      {
        title: 'a\r\nSubject: b',
        kind: 'Table',
        note: '',
        table: { header: ['x\ny'], isNumber: [false], rows: [['\u202eabc\u2028d']] },
      },
    ])
    expect(text.split('\n').slice(3, 7)).toEqual(['a Subject: b', '------------', 'x y', 'abc d'])
  })
})
