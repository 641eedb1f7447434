import { announceCopies } from './copy.ts';
import { showDiagrams } from './diagrams.ts';
import { filterTables } from './filter.ts';
import { sendFeedback } from './feedback.ts';
import { openFinder } from './finder.ts';
import { improveMenus } from './menus.ts';
import { markOutline } from './outline.ts';
import { openTryIt } from './open-try-it.ts';
import { switchTheme } from './theme.ts';

/** Comfort: everything but search while typing, copying and the theme works without this script. */
switchTheme();
announceCopies();
openFinder();
improveMenus();
markOutline();
sendFeedback();
showDiagrams();
filterTables();
openTryIt();
