// Expands the rules of standard input with libical, in wall-clock time. Each line has a rule and
// its start, separated by a tab. Prints the nanoseconds per occurrence and the sum of all
// wall-clock times.
#define _GNU_SOURCE
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RULES_MAX 4096

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    long wanted = atol(words[1]), each = atol(words[2]), laid = 0;
    static char *rules[RULES_MAX], *starts[RULES_MAX];
    int size = 0;
    char *line = NULL;
    size_t room = 0;
    while (size < RULES_MAX && getline(&line, &room, stdin) > 0) {
        char *start = strchr(line, '\t');
        if (!start) continue;
        *start++ = 0;
        start[strcspn(start, "\n")] = 0;
        rules[size] = strdup(line);
        starts[size++] = strdup(start);
    }
    long long sum = 0, begin = now();
    while (laid < wanted) {
        for (int place = 0; place < size; place++) {
            struct icalrecurrencetype rule = icalrecurrencetype_from_string(rules[place]);
            struct icaltimetype start = icaltime_from_string(starts[place]);
            icalrecur_iterator *occurrences = icalrecur_iterator_new(rule, start);
            if (!occurrences) return 1;
            for (long number = 0; number < each; number++) {
                struct icaltimetype next = icalrecur_iterator_next(occurrences);
                if (icaltime_is_null_time(next)) break;
                sum += icaltime_as_timet(next);
                laid++;
            }
            icalrecur_iterator_free(occurrences);
        }
    }
    printf("%.1f %lld %ld\n", (double)(now() - begin) / laid, sum, laid);
    return 0;
}
