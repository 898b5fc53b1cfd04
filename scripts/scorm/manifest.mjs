/** The files of a SCORM 1.2 package around the page of the lessons. */

import {platformFrame} from '../../web/lessons/platform.js';

/** @import {Lesson} from '../../web/lessons/index.js' */

/** The file of the page, which has the engine, the model and all lessons in it. */
export const pageFile = 'bertscope.html';
export const launcherFile = 'launch.js';

/** @param {Lesson} lesson */
export const lessonFile = ({id}) => `${id}.html`;

/**
 * Writes `imsmanifest.xml`: one item a lesson, all on one page.
 *
 * @param {readonly Lesson[]} lessons
 * @param {string} title
 */
export function manifest(lessons, title) {
  const items = lessons.map(
    (lesson) => `      <item identifier="item-${lesson.id}" identifierref="lesson-${lesson.id}">
        <title>${escaped(lesson.title)}</title>
      </item>`,
  );
  const resources = lessons.map(
    (
      lesson,
    ) => `    <resource identifier="lesson-${lesson.id}" type="webcontent" adlcp:scormtype="sco" href="${lessonFile(lesson)}">
      <file href="${lessonFile(lesson)}" />
      <dependency identifierref="page" />
    </resource>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest
  identifier="bertscope-lessons"
  version="1.0"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd"
>
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="lessons">
    <organization identifier="lessons">
      <title>${escaped(title)}</title>
${items.join('\n')}
    </organization>
  </organizations>
  <resources>
${resources.join('\n')}
    <resource identifier="page" type="webcontent" adlcp:scormtype="asset" href="${pageFile}">
      <file href="${pageFile}" />
      <file href="${launcherFile}" />
    </resource>
  </resources>
</manifest>
`;
}

/**
 * Writes the page that a platform opens for a lesson.
 *
 * @param {Lesson} lesson
 */
export function launcher({id, title, steps}) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>
iframe { position: fixed; width: 100%; height: 100%; border: 0; inset: 0; }
</style>
<iframe name="${platformFrame}" title="${escaped(title)}" data-first="#/lessons/${id}/${steps[0].id}" allow="clipboard-write"></iframe>
<script type="module" src="${launcherFile}"></script>
</html>
`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
