/* Heads of several lines as one: see text/heads.py. */

#include "prose.h"
#include <string.h>

enum { MOST_DEPTH = 32 };

/* An open bracket, and what was seen in it. */
typedef struct {
    char opening;
    int is_behind_word, commas, has_angle;
} Bracket;

typedef struct {
    Bracket brackets[MOST_DEPTH];
    int depth; /* may be more than there is room for */
} Open;

static int is_word_end(char character)
{
    return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z') ||
           (character >= 'a' && character <= 'z') || character == '_' || character == '>';
}

/* The innermost bracket; NULL where none is open, or too many are. */
static Bracket *innermost(Open *open)
{
    return open->depth > 0 && open->depth <= MOST_DEPTH ? &open->brackets[open->depth - 1] : NULL;
}

static int may_lose_comma(const Bracket *bracket, char closing)
{
    if (closing != (bracket->opening == '(' ? ')' : bracket->opening == '[' ? ']' : '}'))
        return 0;
    if (bracket->is_behind_word == (bracket->opening == '('))
        return 1;
    return bracket->commas > 1 && !bracket->has_angle;
}

static void note(Open *open, char character, char before)
{
    if (character == '(' || character == '[' || character == '{') {
        open->depth++;
        Bracket *bracket = innermost(open);
        if (bracket != NULL)
            *bracket = (Bracket){character, is_word_end(before), 0, 0};
    } else if (character == ')' || character == ']' || character == '}') {
        open->depth -= open->depth > 0;
    } else if (character == ',' || character == '<') {
        Bracket *bracket = innermost(open);
        if (bracket != NULL && character == ',')
            bracket->commas++;
        else if (bracket != NULL)
            bracket->has_angle = 1;
    }
}

/* Without a comma that ends a list, if something stands before it. */
static char *without_comma(const char *start, char *end)
{
    int is_last = end - start > 1 && end[-1] == ',' && strchr("([{, \n", end[-2]) == NULL;
    return is_last ? end - 1 : end;
}

char *join_lines(char *text, const char *end)
{
    Open open = {.depth = 0};
    char *to = text;
    for (const char *place = text; place < end; place++) {
        char before = to > text ? to[-1] : '\0';
        if (*place == '\n') {
            if (before != '(' && before != '[')
                *to++ = '\n';
            continue;
        }
        if ((*place == ')' || *place == ']') && before == '\n') {
            const Bracket *own = innermost(&open);
            to--;
            if (own != NULL && may_lose_comma(own, *place))
                to = without_comma(text, to);
        }
        note(&open, *place, before);
        *to++ = *place;
    }
    for (char *place = text; place < to; place++)
        if (*place == '\n')
            *place = ' ';
    return to;
}
