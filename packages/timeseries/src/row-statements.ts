import type { DrawingPlan } from './drawing-sql.ts'
import type { OpenSelections } from './open-selections.ts'
import { canSplit, inOrderSettings, isReadInOrder, mapSelections, spanSettings } from './read-order.ts'
import { createFormatter, formatHeaderLine } from './result-format.ts'
import { hasMilliseconds, orderedRowsSql, preserveOrder, type RowQuery } from './result-rows.ts'
import { hasRollUp, withoutRollUps } from './roll-up-fallback.ts'
import type { VersionTexts } from './version-texts.ts'

/** Builds the statements of a result. Their rows, joined in order, are the rows of the result. */
export function buildRowStatements(
  rowQuery: RowQuery,
  versionTexts: VersionTexts | undefined,
  open: OpenSelections,
  drawing?: DrawingPlan,
) {
  const { query, columns, range } = rowQuery
  const { wrap, params, arrowNames = [] } = createFormatter(query, columns)
  const isInOrder = isReadInOrder(query, range, open)
  const toSql = (part: RowQuery) => {
    const text = wrap(drawing?.rows ?? orderedRowsSql({ ...part, isReadInOrder: isInOrder }), {
      milliseconds: hasMilliseconds(part),
      versionText: versionTexts && textOfStored(part, versionTexts.sql),
      threads: drawing?.threads ?? 1,
    })
    return `${text}, ${preserveOrder}${isInOrder ? inOrderSettings(part.selections.length) : ''}${part.resampled && !hasRollUp(part) ? spanSettings : ''}`
  }
  const parts: [RowQuery, ...RowQuery[]] = canSplit(rowQuery)
    ? mapSelections(rowQuery.selections, (selection) => ({ ...rowQuery, selections: [selection] }))
    : [rowQuery]
  const sql = mapSelections(parts, toSql)
  const byPoints = new Map(
    parts.flatMap((part, index) => (hasRollUp(part) ? [[sql[index]!, toSql(withoutRollUps(part))]] : [])),
  )
  return { sql, byPoints, params, header: formatHeaderLine(query, columns), arrowNames }
}

/** Returns the version text for stored points only. A computed point does not come from a file, even if its inputs do. */
function textOfStored({ selections }: RowQuery, text: string): string {
  const computed = selections.flatMap(({ formulas }, index) => (formulas ? [index] : []))
  return computed.length === 0 ? text : `if(selection IN (${computed.join(', ')}), '', ${text})`
}
