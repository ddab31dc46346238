import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { IconButton, links, Menu, type MenuEntry } from '@headwater/web-kit'
import type { Insight } from '@headwater/insights/contract'
import { useWholeInsightExport } from './whole-insight-export.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Menu that exports a whole insight. */
export default function ExportMenu({ insight }: { insight: Insight }) {
  const exportAs = useWholeInsightExport()
  const { writeAccess, groupName, insightName } = insight
  const items: MenuEntry[] = [
    { label: 'Print or save as PDF', icon: <IconPrinter {...icon} />, onClick: () => exportAs('pdf') },
    { label: 'Save as XLSX', icon: <IconFileSpreadsheet {...icon} />, onClick: () => exportAs('xlsx') },
    ...(writeAccess
      ? [
          {
            label: 'Export by e-mail',
            icon: <IconMail {...icon} />,
            href: `${links.insight(groupName, insightName)}?view=EXPORT`,
          },
        ]
      : []),
  ]
  return (
    <Menu trigger={<IconButton label="Export" icon={<IconDownload {...icon} />} labelled />} items={items} />
  )
}
