import type { ComponentType } from 'react'
import type { AccessMode } from '@headwater/contract'
import type { OpenedTool } from '../shell/tools.ts'
import type { Recent, RecentType } from '../stored/recents.ts'

/** What a user must hold to see something: a resource, by default to read it, and the area it lies in. */
export interface Access {
  resource: string
  /** Default R. */
  mode?: AccessMode
  parent?: string
}

/** One page of a room. */
export interface FeatureRoute {
  /** Path without a leading slash, built from `routeNames`, for example `Lake/Groups/:groupName`. Matched in any letter case. */
  path: string
  /** Fetches the page; its module's default export is the component. */
  lazy: () => Promise<{ default: ComponentType }>
  /** Absent: every signed-in user may see it. */
  access?: Access
  /** `main` (default) has sidebar and header, `public` needs no sign-in, `bare` is a tab of its own without sidebar. */
  layout?: 'main' | 'public' | 'bare'
  /** Whether the page may be shown inside a frame. */
  framed?: boolean
  /** Whether the page exists in the mobile layout. */
  mobile?: boolean
  /** Only in warehouse-only mode. */
  warehouseOnly?: boolean
}

/** One hit of a global search. */
export interface SearchHit {
  id: string
  title: string
  detail?: string
  href: string
}

/** Something that was looked at before, as it is now. */
export interface RecentHit extends SearchHit {
  /** What its newest job said last; absent when it had none, or when that is not the user's to see. */
  latestStatus?: { status: string; message: string } | undefined
}

/** One block of the global search. */
export interface SearchProvider {
  id: string
  /** Heading of the block. */
  label: string
  access?: Access
  /** At most five hits for what was typed. */
  search: (text: string, signal: AbortSignal) => Promise<SearchHit[]>
  /** The list page with the same search. */
  seeAllHref?: (text: string) => string
  /** Its things that were looked at last, shown while nothing is typed. */
  recents?: {
    type: RecentType
    /** The thing as it is now; undefined when it is there no more, or no more for this user. */
    find: (recent: Recent, signal: AbortSignal) => Promise<RecentHit | undefined>
  }
}

/** A panel that slides in over the page; the shell draws its frame and closes it. */
export interface FeatureOverlay {
  id: string
  label: string
  access?: Access
  lazy: () => Promise<{ default: ComponentType<{ onClose: () => void }> }>
}

/** What the content of a tool is given. */
export interface ToolProps extends OpenedTool {
  /** Closes the tool without asking; for when its work is done. */
  onClose: () => void
}

/** A tool that opens over the page for one thing, from `openTool`; it has no route. The shell draws its frame. */
export interface FeatureTool {
  id: string
  access?: Access
  lazy: () => Promise<{ default: ComponentType<ToolProps> }>
}

/** A line above every page of the main layout; it draws nothing when there is nothing to tell. */
export interface FeatureNotice {
  id: string
  access?: Access
  lazy: () => Promise<{ default: ComponentType }>
}

/** What a room hands to the shell through its web door. */
export interface FeatureRoutes {
  routes: readonly FeatureRoute[]
  searchProviders?: readonly SearchProvider[]
  overlays?: readonly FeatureOverlay[]
  notices?: readonly FeatureNotice[]
  tools?: readonly FeatureTool[]
}
