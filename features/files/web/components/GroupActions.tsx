import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import { useCan, useMobileMode, useStoragePages } from '@headwater/accounts/web'
import { canWrite, type GroupAccessMode } from '@headwater/groups/contract'
import { openGroupShare, useCanShareGroup } from '@headwater/groups/web'
import { Button, IconButton, links, Menu, openTool, useWindowMatches } from '@headwater/web-kit'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The actions of a group in the header of its page: buttons in a wide window, a menu where they do not fit. */
export function GroupActions({ name, access }: { name: string; access: GroupAccessMode }) {
  const can = useCan()
  const canShareGroup = useCanShareGroup()
  const hasStoragePages = useStoragePages()
  const isWide = useWindowMatches('(width >= 1280px)')
  // The builder is not available on small screens.
  const isNarrow = useWindowMatches('(width < 768px)')
  const canBuild = !useMobileMode() && !isNarrow
  const actions = [
    canShareGroup(access) && {
      label: 'Share',
      icon: <IconShare {...icon} />,
      onClick: () => openGroupShare(name),
    },
    access === 'RWS' && {
      label: 'Show public views',
      icon: <IconWorld {...icon} />,
      onClick: () =>
        openTool({
          tool: 'public-views',
          id: name,
          title: `Public views of ${name}`,
          editable: can('Groups', 'RW', 'Lake'),
        }),
    },
    hasStoragePages && {
      label: 'Show symbols',
      icon: <IconChartLine {...icon} />,
      href: links.symbols(name),
    },
    canBuild &&
      canWrite(access) &&
      can('Visualisations', 'RW', 'Insight') && {
        label: 'New insight',
        icon: <IconPlus {...icon} />,
        href: links.insightCreator(name),
      },
  ].filter((action) => action !== false)
  if (isWide)
    return actions.map(({ label, ...action }) => (
      <Button key={label} {...action}>
        {label}
      </Button>
    ))
  return actions.length === 0 ? null : (
    <Menu trigger={<IconButton label="More actions" icon={<IconDots {...icon} />} />} items={actions} />
  )
}
