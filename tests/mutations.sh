#!/usr/bin/env bash
# Proves that the tests can fail: injects one error at a time into a copy of the sources, builds, and expects the named
# tests to fail. On demand: a build of the tests, and a minute or so for each error.
#   tests/mutations.sh [--together N] [NUMBER | FIRST-LAST]...  some of them
#   tests/mutations.sh --check                                  only whether each can still be injected
# --together builds once for N errors of different rooms and tests: quicker, and blind where one makes another's tests fail.
# An expression says what to change, and its room where: exactly one file of the room must have the place, whichever it is.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")

# what is injected | room | sed expression, within one function where others have such lines | tests that must fail
mutations=(
  # kernels
  "one wrong LBM weight|apps/lbm|s/0.01420821615845075026469894/0.0142083/|*Lbm*"
  "one swapped index in fv4|apps/gsrb|s/x_wn = box.x\[at - 1 + j\]/x_wn = box.x[at + 1 - j]/|*Gsrb*"
  "a missing ghost exchange before the timed sweep|apps/gsrb|/^Level smoothing_problem/,/^}/s/^  level.exchange(Vector::x);//|Seed*"
  "one swapped direction in LBM's propagate|apps/lbm|s/c.x \* grid.ny() + c.y/c.x * grid.ny() - c.y/|*Lbm*"
  "a missing conjugate in GPP|apps/gpp|s/conj(left) \* right/left * right/|*Gpp*"
  "one neighbour of the stencil twice|apps/stencil|s/above = u\[at + plane\]/above = u[at - plane]/|*tencil*"
  "packs of the stencil joined one element too far|apps/stencil|s/joined<1>(pack/joined<2>(pack/|*KernelTunings*"
  "a stencil of a linear function|apps/stencil|s/7 \* i \* i + 31 \* j \* j + 113 \* k \* k/7 * i + 31 * j + 113 * k/|*tencil*"
  "scale that adds|apps/stream|s/real(s \* x)/real(s + x)/|*tream*:*Planted*"
  "a triad without its product|apps/stream|s/x + s \* y/x + y/|*tream*:*Planted*"
  "propagate that stores through the caches|apps/lbm|s/out.set_streaming(at, f)/out.set(at, f)/|LbmCounts*:*StreamingStores*"
  "passes of GPP that begin at one place|apps/gpp|s/chunk + chunk \/ rows \* rows \/ passes/chunk/|Gpp*"
  "the first time of a chunk counted|bench/space|s/if (time == 1) begin/if (time == 0) begin/|Pass*"
  "pages of a buffer that lie side by side|bench/space|s/std::shuffle(kept_.begin(), kept_.end(), random_);//|ScatteredPages*"
  "pages of another buffer that are not cleared|bench/space|s/^    zero();$/;/|ScatteredPages*"
  "pages that never come back|bench/space|s/pool().keep(page);$/;/|ScatteredPages*"
  "a large buffer of the few pages that a small one left|bench/space|s/if (kept_.size() < at_least_as_many . number) grow/if (kept_.size() < number) grow/|ScatteredPages*"
  "a loop that is computed whole weighted like a part|bench/space|s/(Pass::now() - begin) \* mine.weight/(Pass::now() - begin) * 4/|Pass*"
  "the share of the last loop taken for the longest one's|bench/space|s/ \&\& longest >= longest_)/)/|Pass*"
  "parts of a launch that are all the first one|bench/space|s/mine.first += turn_ . of_part % mine.number;//|Pass*"
  "a thread whose chunks are those of another|bench/space|s/thread . each + std::min<Index>(thread, longer)/thread * each/|Pass*:*InParts*"
  "the time of a part taken for that of a launch|bench/sampling|s/sample(\*launch_) \/ share_/sample(*launch_)/|KernelsInRounds*"
  "a part verified in place of a launch|bench/run|s/if (row.samples_parts()) work.launch();.*//|KernelsInRounds*"
  "small chunks of GSRB that leave rows out|apps/gsrb|s/? 4 : 8, small/? 4 : 12, small/|*InCore*"
  "a byte of DRAM counted at every level|reporters/view|s/time->seconds \* served_share(point.counts, level)/time->seconds/|TimeBreakdown*"
  "streaming stores taken for traffic of caches|reporters/view|s/traffic->total() - (level/traffic->total() - 0 * (level/|TimeBreakdown*"
  "an atomic addition made plain|apps/gpp|s/std::atomic_ref(\(achtemp\[[^]]*\]\))/\1/|SharedSums*"
  "a gather with two lanes exchanged|bench/space|s/setr_epi64(0, 4 \* s, s,/setr_epi64(0, s, 4 * s,/|StridedLoads*"
  "halved registers read behind the last number|bench/space|s/p + 3 \* w - 2/p + 3 * w/|StridedLoads*"
  "the slowest tuning chosen|bench/suite|s/return a.seconds < b.seconds/return a.seconds > b.seconds/|TuningChoice*"
  "only the first tuning verified|bench/run|s/tuning : variant.tunings)/tuning : {variant.tunings.front()})/|TuningChoice*"
  "a tuning of GPP that computes one frequency|apps/gpp|s/launch<Nw, true, View, asks>/launch<1, true, View, asks>/|*KernelTunings*"
  "moments of one pack relaxed for all|apps/lbm|s/lanes}, moments\[k\]);$/lanes}, moments[0]);/|*KernelTunings*"
  "numbers gathered from one line|microkernels/cpu|s/p + N \/ 4 \* line_doubles/p + N \/ 4/|*SweptArrays*"
  "two divisions for 48 FMAs|microkernels/cpu|s/fmas % fmas_per_division == 0/fmas % (fmas_per_division \/ 2) == 0/|FlopsKernels*"
  "a turn by three eighths with a wrong sign|apps/fft|s/sum \* -half/sum * half/|*TenSizes*:*Spectrum*"
  "the last nonzero of each row left out|apps/spmv|s/k < end; ++k/k + 1 < end; ++k/|*TenSizes*:SparseProduct*"
  "a block of the matrix product without its last column|apps/gemm|s/Index end = std::min(begin + depth, n);/Index end = std::min(begin + depth - 1, n);/|*TenSizes*"
  "an image beyond an edge with the sign of one beyond a face|apps/mg|s/((beyond + to_j + to_k) \& 1) != 0/(beyond + to_j + to_k) != 0/|*Mg*"
  "a coarse correction for one cell of two|apps/mg|/^struct Correction/,/^};/s/side < 2/side < 1/|*Mg*"
  "a guess from the coarse cell on the other side|apps/mg|s/to_j = j % 2 == 0 ? -coarse.j : coarse.j/to_j = j % 2 == 0 ? coarse.j : -coarse.j/|*Mg*"
  "a V-cycle that begins with the last correction|apps/mg|s/run(Zero(coarser.back()));//|*Mg*"
  "a right-hand side of half the gradients|apps/mg|s/0.25 \* 2 \* squared \* gradients/0.25 * squared * gradients/|*Mg*"
  "reads without prefetch that ask for lines ahead|microkernels/cpu|s/kernel.mix == Mix::read \&\& kernel.lines_ahead == 0;/kernel.mix == Mix::read;/|DeclaredBytes*"
  "prefetched reads that ask for nothing|microkernels/cpu|s/if (lines_ahead > 0 \&\& u/if (lines_ahead < 0 \&\& u/|Prefetches*"
  "no line for reads of another node|reporters/view|s/add_if_below(Mix::read_remote/add_if_below(Mix::read/|RoofLines*"
  "roofs of the cores with the visits that shared one core|bench/sampling|s/std::erase_if(best, disturbed);/;/|MeasuredCeiling*"
  # what a launch is declared to do
  "ceilings of bandwidth without their write-allocates|microkernels/cpu|s/mix.explicit_bytes : mix.moved_bytes/mix.explicit_bytes : mix.explicit_bytes/|DeclaredBytes*"
  "a triad that moves no line for its store|bench/model|/name = \"triad\"/s/moved_bytes = 32/moved_bytes = 24/|DeclaredBytes*"
  "arithmetic that counts one thread|microkernels/cpu|s/workload.work = static_cast<double>(threads) \* kernel/workload.work = 1.0 * kernel/|DeclaredWork*"
  "strided reads that count one thread|microkernels/cpu|s/work.work = 64 \* lines \* threads/work.work = 64 * lines/|DeclaredBytes*"
  "instructions that count one thread|microkernels/cpu|s/static_cast<double>(threads) \* static_cast<double>(steps) \* per_step/static_cast<double>(steps) * per_step/|DeclaredWork*"
  "a launch that counts every window|microkernels/cpu|s/return elements() \/ windows()/return elements()/|DeclaredWork*"
  "a chain of half lines|microkernels/cpu|s/work.work = 64.0 \* static_cast<double>(chase_steps)/work.work = 32.0 * static_cast<double>(chase_steps)/|DeclaredBytes*"
  # verification
  "a verification of 4 of 8 boxes|apps/gsrb|/level.cell(Vector::dinv/,/^}/s/box < boxes; ++box/box < boxes \/ 2; ++box/|*Planted*"
  "a verification without the last element|bench/space|s/i < want.size(); ++i/i + 1 < want.size(); ++i/|*Planted*:*Compare*"
  "a verification that a NaN passes|bench/space|s/!(std::abs(got\[at\] - want\[i\]) <= bound)/std::abs(got[at] - want[i]) > bound/|ComparedNumbers*"
  "a reference of infinity that everything passes|bench/space|s/ || !std::isfinite(want\[i\])//|ComparedNumbers*"
  # spaces and counters
  "a streaming store that is a plain one|bench/space|s/_mm512_stream_pd/_mm512_store_pd/;s/_mm256_stream_pd/_mm256_store_pd/|*StreamingStores*"
  "an FMA counted as a multiplication|bench/cache_model|s/operations().fma += W;/operations().mul += W;/|*Counting*:*Sampler*:*Gpp*"
  "write-backs of victims lost|bench/cache_model|s/++caches_\[level\].write_backs;//|Lru*:CacheHierarchy*:ByteModel*"
  "streaming stores that do not reach DRAM|bench/cache_model|s/streamed_ += bytes;//|*Lbm*:*Sampler*:CacheHierarchy*"
  "a line that was read taken for overwritten|bench/cache_model|s/: entry_of(entry); }/: entry; }/|Overwritten*"
  "lines that were there taken for overwritten|bench/cache_model|s/fetched ? whole_line_/fetched || newest ? whole_line_/|Overwritten*"
  "an unpaired line that its neighbour does not complete|bench/cache_model|s/set\[way\] & alone ? 2 : 1/1/|UnpairedLines*"
  "a pair completed twice|bench/cache_model|s/set\[way\] &= ~alone;//|UnpairedLines*"
  "neighbours in nearer caches not seen|bench/cache_model|s/return ++paired_, false;/return true;/|UnpairedLines*"
  "vectors across two lines not seen|bench/cache_model|s/std::min(size, line) > line)/std::min(size, line) > 2 * line)/|SplitLoads*"
  "numbers side by side taken for gathered ones|bench/cache_model|s/if (stride != 1) active_recording/active_recording/|GatheredBytes*:*Gpp*"
  "costly loads of half a launch|bench/cache_model|s/split_ += loaded(&Recording::split_bytes)/split_ += loaded(\&Recording::split_bytes) \/ 2/|SplitLoads*:GatheredBytes*"
  "parallel regions of both launches counted|bench/cache_model|s/^  regions_ = 0;//|ParallelRegions*"
  "a small loop that finds what was walked before|bench/cache_model|s/if (unseen) cores_.core. = std::move(.unseen);//|Sampled*"
  "a remainder that runs on cold caches|bench/cache_model|s/if (sampled_) {/if (false) {/|Sampled*"
  "an error on another core lost|bench/cache_model|s/failures\[number\] = std::current_exception();//|Sampler*"
  "a sector too many in a coalesced run|bench/virtual_gpu/memory|s/last - first + 1);/last - first + 2);/|*oalesc*"
  "stores that never find their line in L1|bench/virtual_gpu/memory|s/behind.back().in_l1 = .*//|GpuMemory*:DescribedDevice*"
  "reads that always hit in L2|bench/virtual_gpu/memory|s/traffic_.l2_missed += .*//|GpuMemory*:DescribedDevice*"
  "occupancy of half the warps|bench/virtual_gpu/memory|s/blocks \* kernel.warps()) \/ device_/blocks * kernel.warps() \/ 2) \/ device_/|DescribedDevice*"
  "reads of L2 that were merged taken for hits|bench/virtual_gpu/memory|s/l2_reads() + middle(&Scenario::l2_write); all/middle(\&Scenario::l2_read) + middle(\&Scenario::l2_write); all/|ReadsInFlight*"
  "bytes of L2 that are no mean of both ends|bench/virtual_gpu/memory|s/std::sqrt(over/(over/|ReadsInFlight*"
  "reads merged with one that is back|bench/virtual_gpu/memory|s/line.until < now)/line.until + now < now)/|ReadsInFlight*"
  "requests of L2 for more than four reads|bench/virtual_gpu/memory|s/sharing > 0 \&\& sharing < most_/sharing > 0/|ReadsInFlight*"
  "stalls as a share of warps that are not there|bench/counters|s/memory_stalls, warp_cycles)/memory_stalls, warp_cycles_possible)/|Metrics*"
  "a profile that is not read back|bench/storage|s/if (figure) counts.details/if (false) counts.details/|*RoundTrips*"
  "warps executed ahead of a barrier|bench/virtual_gpu/decode|s/program_.synchronises .= o.kind == Class::barrier/program_.synchronises = false/|ExecutedKernel*"
  "a failed self-test of counters accepted|bench/counters|s/!result.passed() \&\&/result.passed() \&\&/|*SelfTest*"
  "counters without a number accepted|bench/counters|s/if (!counted) return false;/if (!counted) return true;/|CuptiCounting*:SelfTest*"
  "counts of different launches used|bench/counters|s/tolerated = 0.01/tolerated = 1/|CuptiCounting*:Metrics*"
  "a pass of CUPTI that an error leaves running|bench/counters/cupti|s/if (started_) stop();//|CuptiProtocol*"
  "CUPTI left in the process|bench/run|s/if (counter_) counter_->finish();//|CuptiInARun*"
  "calls of LIKWID's regions not seen|bench/counters/imports|s/return void(calls_ = most(fields, 1));/return;/|LikwidCsv*"
  "a table of LIKWID that may end early|bench/counters/imports|s/if (table_ \&\& rows_ > 0)/if (false)/|LikwidCsv*"
  # estimators and the model
  "too narrow a rank interval|bench/model|s/if (2 \* below > 1 - confidence)/if (below > 1 - confidence)/|MedianInterval*"
  "evasion of write-allocates called within the noise|bench/model|s/write->rate_low > clear_margin/write->rate > clear_margin/|StorePolicy*"
  "streaming mixes for kernels without such stores|bench/model|s/(streams \&\& streamed_share > 0)/streams/|StreamingMixes*:Roofline*"
  "streamed bytes left out of the nearest mix|bench/model|s/ + std::abs((streams ? written : 0) - streamed_share)//|StreamingMixes*"
  "divisions that take no slots of their neighbours|bench/model|s/division_slots(precision).value_or(0)/0.0/|ComputeMix*"
  "slots of divisions where the divider is the wait|bench/model|s/flops \/ both->rate < nearly \/ div->rate/flops < 0 * nearly/|ComputeMix*"
  "divisions that take longer beside FMAs than alone|bench/model|s/^  if (div) slots = std::min(slots, fma->rate \/ 2 \/ div->rate);//|ComputeMix*"
  "slots of divisions by rates of other moments|bench/model|s/both->of_fma > 0 ? both->of_fma : both/both/|ComputeMix*"
  "FMAs alone sampled before those with a division|bench/sampling|s/visit.rates.back() \/ sample(fma, seconds_in_turns)/visit.rates.front() \/ sample(fma, seconds_in_turns)/|CeilingWorks*"
  "means of pairs without the values themselves|bench/model|s/for (std::size_t k = 0; k <= i; ++k) means/for (std::size_t k = 0; k < i; ++k) means/|MiddleInterval*"
  "gathers at the rate of other loads|bench/model|s/take_out(counts.gathered, gathers/take_out({}, gathers/|CostlyLoads*"
  "gather instructions compared with the fastest way|bench/model|s/by_instructions = counts.gathers/by_instructions = false \&\& counts.gathers/|CostlyLoads*"
  "a core that bounds not named|bench/model|s/if (core_bounds(assessment)) return .core.;//|KernelTable*"
  "more costly loads than loads|bench/model|s/others.read -= taken;//|CostlyLoads*"
  "unpaired lines at the rate of streams where they have a probe|bench/model|s/moment.unpaired ? skipping->rate . .moment.unpaired : //|UnpairedLineTime*"
  "single precision at the ceilings of double|reporters/view|s/compute_mix(counts.operations, counts.precision, moment)/compute_mix(counts.operations, \"fp64\", moment)/|TimeBreakdown*"
  "a rest that is called overlap|reporters/view|s/std::max(0.0, seconds - sum())/std::max(0.0, sum() - seconds)/|TimeBreakdown*"
  "the second double of a line not read|microkernels/cpu|s/V::load(place + k % touches)/V::load(place)/|ScatteredReads*"
  "regions that take longer where they are faster|bench/model|s/\*counts.regions \/ rate_at(/*counts.regions * rate_at(/|ForkJoin*"
  "streaming stores that are no faster advised|reporters/view|s/if (const auto then = time_with_streaming(roofline, counts); !then || .then < worth_it)/if (const auto then = time_with_streaming(roofline, counts); true)/|Diagnosis*"
  "a row that is mostly in its core told to prefetch|reporters/view|s/if (core >= bounds_from \&\& core <= 1) {/if (false) {/|Explain.ARow*"
  "a sampled function of which nothing was seen|bench/any_program|s/return half.second > std::max/return 0 * half.second > std::max/|CountedProgram.BytesOf*"
  "loads that lie in no sample forgotten|bench/any_program/count|s/std::max(bytes.moved.in_one_stratum, /std::max(0 * bytes.moved.in_one_stratum, /|CountedProgram.BytesOfSampled*"
  "page after page taken for any places|bench/any_program/count|s/stratum \&\& !pair ? Places::one_stratum/false ? Places::one_stratum/|Trail*"
  "windows side by side at the same places|bench/any_program/counter|s/random = 1664525 . random + 1013904223;/random = 0;/|Windows.*"
  "windows on caches that are not warm|bench/any_program/counter|/case State::skips:/,/break/s/end += warming;/end += 0;/|Windows.*"
  "windows that stand for themselves alone|bench/any_program/count|s/add(in_windows_, later \/ accessed_)/add(in_windows_, 1)/|WindowedBytes*"
  "a window before the caches have filled|bench/any_program/counter|s/ .. end < warming) {/ \&\& end + 1 < 1) {/|Windows*"
  "a spread of windows as of many|bench/any_program/count|s/few . few . std::max/std::max/|WindowedBytes*"
  "a window that was seen never closed|bench/any_program/count|s/its->close_window();/;/|CountedProgram.BytesOfWindows*"
  "bytes of what was left out forgotten|bench/any_program/count|s/accessed\[function\].add(its, tally.counters\[r\]);/;/|CountedProgram.BytesOfWindows*"
  "floors of a control whose cores lay elsewhere|reporters/comparison|s/if (!rounds.strata.empty()) shifts/shifts/|MovedCores*"
  "samples that are not scaled|bench/any_program/count|s/return are_sampled() ? strata \/ samples \* sum : sum;/return sum;/|CountedProgram.BytesOf*"
  "lines without a neighbour blamed where they are as fast|reporters/view|s/ \&\& top.pairing > faster//|Diagnosis*"
  "a gain beyond the measured core|reporters/view|s/std::max({stays, second, core})/std::max({stays, second})/|Explain.ARow*"
  "a bound that only the mix knows not shown|bench/model|s/return std::string(name(unknown_to_roofs));/return {};/|Screen*:Page*"
  "a sum that fork-join is left out of|reporters/view|s/ + beyond() + regions.value_or(0)/ + beyond()/|TimeBreakdown*"
  "a front end after the units instead of next to them|reporters/view|s/std::max({compute.value_or(0), front_end.value_or(0),/front_end.value_or(0) + std::max({compute.value_or(0),/|TimeBreakdown*"
  "a bound at the fastest resource|bench/model|s/seconds > result->seconds/seconds < result->seconds/|LeastTime*"
  # the instrument
  "a chain of three cycles taken for four|bench/machine|s/cycles_of_step = 3;/cycles_of_step = 4;/|Clock*"
  "theory at three times the clock|microkernels/cpu|s/return per_hz \* clock_under/return 3 * per_hz * clock_under/|FlopsCeilings*"
  "a clock that is too fast is fine|bench/machine|s/std::max(too_long, seen - outer)/std::max(too_long, 0.0)/|KnownTime*"
  "a clock that is too slow is fine|bench/machine|s/std::min(too_short, inner - seen)/std::min(too_short, 0.0)/|KnownTime*"
  "units that each thread of a core has|bench/machine|s/std::min(ceiling.threads, cores))/std::min(ceiling.threads, 8 * cores))/|Theory*"
  "an L3 that sleeping cores share|bench/cache_model|s/cache.shared_by = cache.sharers(threads), /cache.shared_by = std::max(cache.shared_by, cache.sharers(threads)), /|SharedCaches*"
  "threads that are not where they were put|bench/machine|s/seen\[i\] != wanted\[i\]/false/|Threads*"
  "OMP variables let through|bench/machine|s/begins(\*at, \"OMP_\")/false/|OpenMp*"
  "file pages counted as used memory|bench/machine|s/used - droppable/used - 0 * droppable/|MemoryLimits*"
  # nothing lost
  "an incomplete run in place of a complete one|bench/storage|s/complete_ ? name : partial/complete_ ? name : name/|ResultFiles*:*Signals*"
  "hang-ups not caught|bench/machine|s/{SIGINT, SIGTERM, SIGHUP}/{SIGINT, SIGTERM}/|*Signals*"
  "a lost reader that ends the run|bench/machine|s/std::signal(SIGPIPE, SIG_IGN);//|LostNothing*"
  "a journal that two runs write|bench/recovery|s/errno == EWOULDBLOCK/false/|JournalFiles*"
  "few warps compared with a theory of full ones|bench/result|s/ && ceiling.warps == 0//|Sanity*"
  # sanity checks, one each
  "bandwidth_by_level without a limit|bench/result|s/judged(1.03)/judged(9)/|Sanity*"
  "compute_ceilings without a limit|bench/result|/ below_theory(/,/^}/s/judged(1.02)/judged(9)/|Sanity*"
  "dram_below_theory without a limit|bench/result|s/judged(1.0)/judged(9)/|Sanity*"
  "bytes_by_level without a limit|bench/result|/ bytes_fall(/,/^}/s/judged(1.02)/judged(9)/|Sanity*"
  "flops_as_declared without a limit|bench/result|s/judged(counters ? 0.01 : 0)/judged(9)/|Sanity*"
  "kernel_below_roof without a limit|bench/result|s/judged(at_roof_limit)/judged(9)/|Sanity*"
  "time_grows_with_work without a limit|bench/result|s/judged(0.1, INFINITY)/judged(9, INFINITY)/|Sanity*"
  "samples_above_timer_step without a limit|bench/result|s/judged(1000)/judged(1)/|Sanity*"
  "intervals_hold_medians and rows_verified without a limit|bench/result|s/judged(0);/judged(9);/|Sanity*"
  "samples_within_run without a limit|bench/result|s/judged(1.001)/judged(9)/|Sanity*"
  "known_time without a limit|bench/result|s/judged(0.01);/judged(9);/|Sanity*"
  # levels, rounds and shares
  "a declared size believed whatever the ladder shows|bench/levels|s/return rate_near(ladder, share \/ 2) >= .*/return true;/|*Ladder*"
  "an edge where the next level begins|bench/levels|s/rounded_edge(std::sqrt(to \* ladder.piece.end..bytes))/rounded_edge(2 * to)/|*Ladder*:Plateaus*"
  "equal neighbours taken for two levels|bench/levels|s/|| least_fall \* rate <= levels.back/|| rate <= levels.back/|*Ladder*:Plateaus*"
  "the level of a disturbed rung|bench/levels|s/return near.count \/ 2..rate;/return near[0].rate;/|*Ladder*"
  "kept levels of another number of threads used|bench/levels|s/number() != threads) top.fail/number() != threads \&\& false) top.fail/|KeptLevels*"
  "changed levels that nobody is told of|bench/levels|s/if (ratio < 1 \/ 1.5 || .*) return false;/if (ratio < 0) return false;/|Levels*:KeptLevels*"
  "rounds of a journal measured again|bench/run|s/run_.records.of_round(name, round)) {/run_.records.of_round(name, -1)) {/|KernelsInRounds*:InterruptedRuns*"
  "a resumed row without its counts|bench/recovery|s/if (record.kernel) kernels_\[record.row\] = place;/if (record.kernel) kernels_.emplace(record.row, place);/|KernelsInRounds*:InterruptedRuns*"
  "a list of facts that only the last process says|bench/recovery|s/if (!value.is_array())/if (true)/|Records*"
  "a failed row that keeps its rounds|bench/recovery|s/ || sorted.missing.contains(known.name)) continue/) continue/|KernelsInRounds*:InterruptedRuns*"
  "an interrupted run that is complete|bench/recovery|s/results.interrupted = !sorted.ended;/results.interrupted = false;/|InterruptedRuns*"
  "ceilings that were only measured while the cores lay elsewhere|bench/recovery|s/if (record.is_elsewhere(usual)) continue;//|CeilingsElsewhere*"
  "visits that are not made up for after a move of the cores|bench/run|s/lay_alike(record->visit->core_distance, distance)/lay_alike(distance, distance)/|CeilingVisits*"
  "disturbed visits that are not made up for|bench/run|s/return !is_disturbed(ceiling, rate);/return rate > 0;/|CeilingVisits*"
  "a share resolved by a narrower range than is printed|bench/model|s/range->high - range->low) \/ 2 \/ efficiency/range->high - range->low) \/ 3 \/ efficiency/|SelfConsistency*"
  "remote reads of the own node|microkernels/cpu|s/(i + largest) % by_node.size()/i/|RemoteParts*"
  "the last launch in the core's caches kept|bench/run|s/shortest > 0 ? std::min(shortest, seconds) : seconds/seconds/|LaunchesInCore*"
  "probes that do not count for their ceiling|bench/recovery|s/place != place_of_ceiling.end() \&\& !rates.empty()/false/|CeilingsElsewhere*"
  "fewer rounds than three|bench/run|s/ || round < first_rounds//|KernelsInRounds*"
  "probes chosen anew after a resume|bench/run|s/round < rounds_until_settled/round < 99/|KernelsInRounds*"
  "a row that is not verified|bench/run|s/if (!row.verified) verify(row);//|KernelsInRounds*:*Planted*:Verify*"
  "a short launch timed alone|bench/sampling|s/while (one \* batch < seconds \/ 4/while (false/|Sampled*"
  "a launch timed on the data of another|bench/sampling|s/if (launch.source == DataSource::memory .. launch.seconds >= fills_caches_itself) return 0;/if (launch.seconds > 0) return 0;/|Sampled*"
  "a shared cache taken for full after one launch|bench/sampling|s/return is_there ? 1 : launch.launches_for(fills_shared_cache);/return is_there ? 1 : 2;/|Sampled*"
  "a part of an interrupted load kept|bench/sampling|s/^  stop_if_interrupted();  .. the rate of a part.*$//|Sampled*"
  "a share of the first sample of a round|bench/model|s/of_round > 0 ? std::min(of_round, sample.seconds) : sample.seconds/of_round > 0 ? of_round : sample.seconds/|Efficiency*"
  "disturbed roofs kept for rows in caches|bench/model|s/rate \\* factor < ceiling.rate_high/false/|SelfConsistency*"
  "a launch above its roof taken for more than all|bench/model|s/infinity() : 1;/infinity() : 1e9;/|SelfConsistency*:Efficiency*"
  "a time that is the worst sample of each round|bench/sampling|s/shortest = std::min(shortest, sample.seconds);/shortest = std::max(shortest, sample.seconds);/|KernelsInRounds*:RowRounds*"
  "roofs sampled once a round|bench/sampling|s/    found.samples.push_back(parts.kernel());/    found.samples.push_back(parts.kernel());if (i > 0) continue;/|KernelsInRounds*"
  "a region that counts one launch of several|microkernels/cpu|s/window.total += sweeps;/window.total += sweeps; break;/|*SweptArrays*"
  "a share of the best round|bench/model|s/several ? std::min(range.median, highest)/several ? std::min(range.high, highest)/|Efficiency*:SelfConsistency*"
  "a share by the ceiling of another time|bench/model|s/probe.rates.i. \/ ceiling->rate;/1;/|Efficiency*:SelfConsistency*"
  "a probe of memory applied to arithmetic|bench/model|s/if (ceiling.level != MemoryLevel::DRAM) return moment.core;/if (ceiling.level != MemoryLevel::DRAM) return moment.dram;/;s/!= Ceiling::Kind::bandwidth) return moment.core;/!= Ceiling::Kind::bandwidth) return moment.dram;/|Efficiency*:SelfConsistency*"
  "a row above its roof counted as resolved precision|bench/result|s/if (above_roof(point.assessment)) precision.contradictions.push_back(point.name);//|Precision*:Screen*:*Page*"
  # rooms beyond the main path: more than one thread, several of a kind, values at a boundary
  "a ladder as high for many threads as for one|bench/levels|s/memory \/ 4 \/ std::max(1, threads)/memory \/ 4 \/ std::min(1, threads)/|Levels.*"
  "a third thread on two cores that shares nothing|bench/levels|s/(threads + cores - 1) \/ cores/threads \/ cores/|Levels.*"
  "levels kept of CPUs where no thread runs|bench/levels|s/cpus.size()) > threads) cpus.resize/cpus.size()) < threads) cpus.resize/|KeptLevels*"
  "an L3 denied by a ladder that ends beside its share|bench/levels|s/1.5 \* cache_share(beyond, threads) > ladder/cache_share(beyond, threads) > ladder/|*Ladder*"
  "part of a core that a quota does not grant given away|bench/ranks|s/std::floor(quota)/std::ceil(quota)/|CoreShare*"
  "cores that are not there granted by a large quota|bench/ranks|s/std::min(static_cast<int>(cores.size()), granted), each/granted, each/|CoreShare*"
  "a rank that has ended counted|bench/ranks|s/field == \"Z\") return {}/field == \"z\") return {}/|Siblings*"
  "an array's job named without knowing the task|bench/ranks|s/ \&\& !value(\"SLURM_ARRAY_TASK_ID\").empty())/)/|Node.*"
  "threads in a region one after another|bench/any_program|s/+= seconds, row.seconds = std::max(row.seconds, seconds)/+= seconds, row.seconds += seconds/|RegionRows*"
  "a region of one process instead of all|bench/any_program|s/\[region.thread\] +=$/[region.thread] =/|RegionRows*"
  "two loops of a function in one row|bench/any_program|s/return readable(function.name, function.source) + function.loop;/return readable(function.name, function.source);/|ProgramRows*"
  "a thread that waits counted as one that works|bench/any_program|s/>= worth_mentioning \* most;/>= 0 * most;/|ProgramRows*"
  "more than nine tenths wanted of a precision|bench/any_program|s/>= most \* all) return precision/> most * all) return precision/|ProgramRows*"
  "a multiplication taken for an addition|bench/any_program/count|s/{\"mul\", Kind::mul}/{\"mul\", Kind::add}/|AssembledCounts*"
  "a roof that bounds before the mix does|reporters/cluster|s/{\"mix\", \"roof\"})/{\"roof\", \"mix\"})/|NodeRun*"
  "runs of before a change of memory kept|reporters/cluster|s/!same_memory(run.memory_bytes, memory); });/!same_memory(memory, memory); });/|Cluster.*"
  "runs in the order of their files|reporters/cluster|s/std::stable_sort(runs.begin(), runs.end(), .*a.date < b.date; });//|Cluster.*"
  "nodes that differ by half called sound|reporters/cluster|s/most_told_from = 0.5/most_told_from = 1.5/|Cluster.*"
  "a node without comparable rows called sound|reporters/cluster|s/if (measured == 0) return/if (measured < 0) return/|Cluster.*"
  "a full name of two domains joined|reporters/cluster|s/full_names\[name\].size() == 1/!full_names[name].empty()/|Cluster.*"
  "a folder without a run forgotten|reporters/cluster|s/if (!has) without.push_back(run);//|FilesNamed*"
  "machines without a name taken for one|reporters/cluster|s/return name == .localhost. ||/return/|NodeRun*"
  "failures of the first version lost|reporters/cluster|s/if (!in_block \&\& !context.has(.failures.)) return;/if (!in_block) return;/|NodeRun*"
  "three values alone tell their scatter|reporters/cluster|s/usual_machines{0.05, 3}/usual_machines{0.05, 0}/|Outliers*"
  "too few values of a row left|reporters/cluster|s/values.size() < fewest_nodes ? all : values/values/|Outliers*"
  "a run that measured nothing called a success|bench/run|s/if (tell_left_out(results, planned)) return exit_inconclusive;/tell_left_out(results, planned);/|MemoryLimits*"
  "a long name cut at its front alone|reporters/view|s/shortened(name, most - end) + name.substr(from)/shortened(name, most)/|Plots.*"
  "a heading for each kernel of a profile|reporters/plots|s/groups_to_plot(results.points)) {/group_by_family(results.points)) {/|Plots.*"
  "hundreds of numbers in a small plot|reporters/plots|s/|| plot.sweeps.size() < crowded_from/|| true/|Plots.*"
  "whole names in a plot for a paper|reporters/view|s/if (whole_names) member.label = member.point->name;//|Plots.*"
  "a rank that does not say which it is|bench/run|s/place \&\& place->among_others() ? fmt/place \&\& false ? fmt/|MemoryLimits*"
  "many processes on a GPU taken for an unknown number|bench/cuda|s/asked == success || asked == too_small/asked == success/|Nvml*"
  "a GPU behind itself on the bus|bench/cuda|s/other.bus < bus/other.bus <= bus/|TwoGpus*"
  "a brake of one row told of every row|bench/cuda|s/if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows/rows/|Nvml*"
  "read bytes of the page that are not all bytes|reporters/page|s/traffic->total());/traffic->read);/|Page*"
  "the ends of a time exchanged in the page|reporters/page|s/{\"low\", json_number(p.time.low)}/{\"low\", json_number(p.time.high)}/|Page*"
  "operations of the page in another order|reporters/page|s/{o.add, o.mul, o.fma, o.div}/{o.mul, o.add, o.fma, o.div}/|Page*"
  "a shared cache counted for each core|reporters/page|s/ \* std::max(1, machine.usable_cores) \/ std::max(1u, cache.shared_by)/ * std::max(1, machine.usable_cores)/|Page*"
  "one roof for all levels of the page|reporters/page|s/: roofline.bandwidth(c.level) == \&c/: roofline.bandwidth(MemoryLevel::DRAM) == \&c/|Page*"
  "half of the points for four tolerances|tools/labs|s/half_points = 3/half_points = 4/|Labs*"
  "a program with more than full points|tools/labs|s/std::clamp(reached \/ enough, 0.0, 1.0)/std::max(reached \/ enough, 0.0)/|Labs*"
  "points that nobody could have|tools/labs|s/sum += mark.counted ? mark.question->points : 0/sum += mark.question->points/|Labs*"
  "a range of any width that grades|tools/labs|s/return passed ||/return passed || room > 0 ||/|MadeUpMachines*"
  "a mistake taken for another one in a wide range|tools/labs|s/const claims::Value wrong(\(claims::evaluate(.*)\).value);/const auto wrong = \1;/|MadeUpMachines*"
  "a program that nobody measured left out|tools/labs|s/if (question.program \&\& !mark.solution.number)/if (false)/|Labs*"
  "roofs of labs from the middle of the run alone|reporters/claims|s/possible\[static_cast<std::size_t>(end)\]/possible[0]/|MadeUpMachines*"
  "lanes by medians alone|reporters/claims|s/best.push_back({std::max(c.rate, c.rate_high), /best.push_back({c.rate, /|MadeUpMachines*"
  "lanes by the best rounds alone|reporters/claims|s/typical.push_back({c.rate, /typical.push_back({std::max(c.rate, c.rate_high), /|MadeUpMachines*"
  "the slowest version taken for the fastest|reporters/claims|s/time->value.value < least->value.value/time->value.value > least->value.value/|MadeUpMachines*"
  "a division by zero taken for a number|tools/labs|s/ || \*below == 0) return/) return/|Labs*"
  # input
  "a filter that may take for ever|bench/suite|s/pattern.size() > longest/false/|Filter*:*Refusals*"
  "a ceiling that stands twice accepted|bench/storage|s/if (!seen.insert(c.name).second)/if (false)/|CeilingsFile*"
  "a forged fingerprint accepted|bench/options|s/if (is_taken(key))/if (is_taken(key) \&\& false)/|*Refusals*"
  "escape sequences let through to terminals|bench/text|s/return first < 0x20 || first == 0x7F/return first == 0x7F/|Clean*"
  # files of others; "field": the cases of tests/field.py, "generated": the kinds of tests/field_generated.py
  "points between thousands taken for decimal ones|bench/text/imports|s/(grouped ? other(marks\[0\]) : marks.back())/(marks.back())/|NumberFormat*"
  "numbers of two languages let through|bench/text/imports|s/if (!point.empty() && !comma.empty())/if (false)/|NumberFormat*"
  "mega taken for mebi|bench/text/imports|s/{\"m\", 1e6}/{\"m\", 1048576}/|Units*"
  "bits taken for bytes|bench/text/imports|s/ && !may_be_bits//|Units*"
  "a last line that was cut off let through|bench/text/imports|s/ && !csv.ended)/ \&\& false)/|ForeignTable*"
  "a byte order mark kept|bench/text|s/text.erase(0, 3)/text.erase(0, 0)/|PlainText*"
  "a fused instruction of SDE that is one FLOP|reporters/imports|s/+= count \* (scalar ? 1 :/+= 0 * count * (scalar ? 1 :/|Sde*"
  "DDR taken for MCDRAM|reporters/imports|s/near ? \*near : \*far/far ? *far : *near/|Vtune*"
  "bytes of another program file left out|tools/roofline|s/^  join_bytes(all);//|field"
  "sectors of ncu twice as large|reporters/imports|s/bytes_of_sector = 32/bytes_of_sector = 64/|field"
  "transactions of nvprof twice as large|reporters/imports|s/transaction = 32/transaction = 64/|field"
  "an instruction of AMD taken for one lane|reporters/imports|s/lanes = 64/lanes = 1/|field"
  "single precision taken for double|reporters/files|s/counts.precision = precision;/counts.precision = \"fp64\";/|field"
  "launches of other work taken for samples|reporters/files|s/first.name == launch.name && /first.name != launch.name \&\& /|field"
  "times of threads divided twice|reporters/imports|s/(version_.time_is_shared ? all : 1)/1/|field"
  "rates of the wrong clock|reporters/imports|s/clock = by_cpu ?/clock = by_cpu \&\& false ?/|field"
  "statistics taken for kernels|reporters/imports|s/!sibling \&\& !is_complexity \&\& !names_.contains(base)/(sibling || names_.contains(base)) \&\& !is_complexity/|field"
  "a percentage for an unknown precision|bench/model|s/fp64->level \&\& fp64->rate == fp32->rate/true/|Roofline.*"
  "the nan of one core taken for nothing|bench/counters/imports|s/lost = lost || .*/lost = false;/|LikwidCsv*"
  "80 taken for 8000 %|reporters/view|s/\*value > at_roof_limit \&\& /*value > 1e9 \&\& /|field"
  "one thread held against all cores|tools/roofline|s/point.threads = has_own || .*/point.threads = known;/|field"
  "a name of the archive of machines taken for a file|tools/roofline|s#folder / (name + ..json.)#folder / name#|RooflineCommand.AMachineOfTheArchive*"
  "counts that perf scaled to bytes taken for lines|bench/counters/imports|s/known->of == \"byte\" ?/false ?/|OtherNumbers*"
  "a count with points between thousands let through|bench/counters/imports|s/text.find('.') != text.npos/false/|OtherNumbers*"
  "commas between thousands added up|bench/counters/imports|s/static_cast<std::ptrdiff_t>(cores_))/99)/|OtherNumbers*"
  "roofs of ERT that are of one thread|reporters/files|s/const int threads = threads_of(document);/const int threads = 1;/|*RoundTrips*"
  "a range of bytes that is not read back|bench/storage|s/if (low \&\& high) range.*//|*RoundTrips*"
  "kinds of a profiler added up|reporters/files|s/counts.kinds_known = counts.kinds_known \&\& !kernel.flops.empty();/counts.kinds_known = false;/|TalksProfile*:*GeneratedImports*"
  "unknown kinds written|bench/storage|s/const bool kinds = counts.kinds_known;/const bool kinds = true;/|UnknownKinds*:*GeneratedImports*"
  "a mix of unknown kinds|bench/model|s/if (!counts.kinds_known) return std::nullopt;//|UnknownKinds*:TalksData*"
  "an invented second|reporters/files|s/.rate_only = true};/};/|TalksData*:*GeneratedImports*"
  "levels by position|reporters/files|s/level.value_or(MemoryLevel::DRAM)/level.value_or(MemoryLevel::L1)/|Levels*"
  "multiplications of nvprof taken for additions|reporters/imports|s/kinds_of(parts\[\"_add\"\], parts\[\"_mul\"\]/kinds_of(parts[\"_mul\"], parts[\"_add\"]/|*GeneratedImports*"
  "a time of ncu twice as long|reporters/imports|s/kernel.seconds = {\*seconds};/kernel.seconds = {2 * *seconds};/|*GeneratedImports*"
  "bytes of L2 taken for those of L3|reporters/imports|s/{MemoryLevel::L2, {1, {\"lts__t_bytes/{MemoryLevel::L3, {1, {\"lts__t_bytes/|*GeneratedImports*"
  "imported FLOPs called canonical|reporters/files|s/^  counts.account = FlopAccount::counted;/  counts.account = FlopAccount::canonical;/|*GeneratedImports*"
  "intensities of data.txt that belong to another point|reporters/files|s/points\[i\]\[level\] = \*values\[i\]/points[i][level] = *values[rates - 1 - i]/|*GeneratedImports*"
  "one intensity for all levels of data.txt|reporters/files|s/const auto intensity = p->counts.intensity(level);/const auto intensity = p->counts.intensity(*outermost_level(p->counts));/|*GeneratedImports*"
  "counted FLOPs of somebody's table called canonical|reporters/files|s/if (!table.has(\"flops_source\")) point.counts.account = FlopAccount::counted;//|*GeneratedImports*"
  "made-up amounts written as measured ones|reporters/files|s/stored ? derived/stored || true ? derived/|*GeneratedImports*"
  "two buffers at one place|bench/space|s/skew = 17 \* 4096 + 22 \* 64/skew = 0/|Buffer*"
  "a program blamed for what others took|tools/labs|s/reached < slow ||/true ||/|Labs*"
  "data.txt taken for a table|reporters/imports|s/{\"data.txt\", {\"memroofs\"}, read_data_txt},//;s/{\"\", {\"comproofs\"}, read_data_txt},//|*RoundTrips*"
  "a parallel region of a program that opens none|bench/library/declared|s/counts.regions.reset();//|DeclaredWork*"
  "a set that is read and written taken for memory's|reporters/imports|s/bytes <= read_and_written \* largest || //|generated"
  "sizes of an earlier run|reporters/imports|s/is_used_ ? ArraySizes() : \*this/*this/|generated"
  "a roof of one word taken for FP64|reporters/files|s/return (usual ? name.substr(0, blank) : name)/return (usual ? name.substr(0, blank) : blank == name.npos ? \"FP64\" : name)/|generated"
  "tensor operations under other names|bench/counters/imports|s/ || name.find(\"path_tensor\") != name.npos//|generated"
  "loops of one line averaged|reporters/imports|s/.shape = table.text(row, \"ID\"),.*//|generated"
  "a portability of 0 without a word|reporters/view|s/!lacking.empty())/false)/|generated"
  "rounds compared whatever the place of the cores|reporters/comparison|s/if (lay_alike(a.core_distance, b.core_distance)) add(a, b);/if (\&a == \&base.front() \&\& \&b == \&next.front()) add(a, b);/|MovedCores*"
  "a change that no clock shows|reporters/comparison|s/const double timed = series.by_the_clock.shift();/const double timed = interval->median;/|Compare*"
  "rows of two sizes compared|reporters/comparison|s/of_base != of_next) {/false) {/|Compare*"
  "runs of one side with two sizes|reporters/comparison|s/several.size() > 1) {/several.size() > 9) {/|Compare*"
  "nodes with rows of two sizes compared|reporters/cluster|s/row.name += \" \" + \*problem;/;/|NodeRun*"
  "no drift between places of the cores|reporters/comparison|s/drift = std::max(drift, \*apart);//|MovedCores*"
  "drifts of all places taken together|bench/storage|s/lay_alike(distance(runs.i.), distance(runs.k.)) != alike/!alike/|KeptShares*"
  "a run next to load kept|bench/storage|s/if (next_to_load(results)) return;//|KeptShares*"
  "two rounds taken for enough|reporters/comparison|s/return rounds >= least_rounds_judged ||/return rounds > 0 ||/|MovedCores*"
  "rounds held against ceilings of another time|reporters/comparison|s/common.empty() ? of_next : of_base/of_next/|Compare.TakesRoofs*"
  "the chances of the last stratum alone|bench/model|s/chances = chances_of_sum(chances, rank_sum/chances = chances_of_sum({1.0}, rank_sum/|ShiftInterval*"
  "differences between strata|bench/model|s/for (const double n : next) differences.push_back(n - b);/for (const double n : strata.back().next) differences.push_back(n - b);/|ShiftInterval*"
  "rounds elsewhere without their roofs|bench/sampling|s/enter(found, there->samples, there->probes);/std::vector<Probe> lost; enter(found, there->samples, lost);/|RowRounds*"
  "contexts that nobody compares|reporters/comparison|s/if (!base.context.empty() \&\& !next.context.empty()) {/if (false) {/|generated"
  "times without a unit taken for ns|reporters/imports|s/if (text_in.*empty()) assumed_.insert(.*//|GoogleJson*"
  # reporters
  "a claim held although its range is open|reporters/claims|s/if (truth == Truth::unknown \&\& result/if (false \&\& result/|Claims*"
  "a gain that the next resource does not end|reporters/view|s/std::max({stays, second, core})/std::max({stays, core})/|Diagnosis*"
  "a row that is done whatever its rounds say|reporters/view|s/ \&\& !mix->resolved() \&\& mix->range->low < far_from/ \&\& false/|Explain*"
  "HBM in the names of rows|reporters/view|s/ || c == ':' || c == '\/'; };/; };/|MemoryName*"
  "rows of earlier versions that are others|reporters/view|s/\"N\", \"LX\", \"LY\", /\"N\", /|Portability*"
  "the interval's ends swapped in the CSV|bench/storage|s/low = p.time.low, high = p.time.high/low = p.time.high, high = p.time.low/|SelfConsistency*"
  "the best of a family is its worst|reporters/view|s/roof->efficiency > \*family.best_efficiency/roof->efficiency < *family.best_efficiency/|FamilySummary*"
  "written bytes of the CSV that are all bytes|bench/storage|s/written = traffic->written;/written = traffic->total();/|SelfConsistency*"
  "a source with a comma unquoted|reporters/files|s/return csv_field(value);/return value;/|SelfConsistency*"
  "an intensity of data.txt by another level|reporters/files|s/const auto intensity = p->counts.intensity(level);/const auto intensity = p->counts.intensity(level == MemoryLevel::L1 ? MemoryLevel::L2 : level);/|SelfConsistency*"
  "rates of data.txt in mega|reporters/files|s/p->flop_rate() \* 1e-9/p->flop_rate() * 1e-6/|SelfConsistency*"
  "theory in the place of ERT's rate|reporters/files|s/flops.push_back({label, rounded(giga(c.rate))});/flops.push_back({label, rounded(giga(c.theory.value_or(c.rate)))});/|SelfConsistency*"
  "a file that is always complete|bench/storage|s/\"complete\", r.complete()/\"complete\", true/|SelfConsistency*"
  "a run with failed rows that is complete|bench/result|s/ \&\& failures.empty()//|SelfConsistency*"
  "failures that a file does not name|bench/storage|s/io(\"failures\", r.failures.*//|SelfConsistency*"
  "a check that counts no failures|bench/result|s/static_cast<double>(results.failures.size())/0/|SelfConsistency*"
  "an interval that may end below its median|bench/result|s/ \&\& median <= high) return/) return/|SelfConsistency*"
  "a stored interval with one end twice|bench/storage|s/io.must(\"low\", i.low, /io.must(\"low\", i.high, /|SelfConsistency*"
  "a time that is not stored|bench/storage|s/io(\"in_core\", p.in_core.*//|SelfConsistency*"
  "a roof with FMA for a build without|bench/model|s/const auto operation = fma ? Operation::fma : Operation::nofma;/const auto operation = Operation::fma;/|SelfConsistency*"
  "a range that begins at its median|bench/model|s/std::min(range.low, highest), std/judgement.efficiency, std/|SelfConsistency*"
)

# part MUTATION: its parts in what, room, expression and tests; "||" belongs to an expression
part() {
  IFS='|' read -r what room expression tests <<<"${1//||/$'\x01'}"
  expression=${expression//$'\x01'/||}
}

# place: the one file of the room that the expression changes
place() {
  local found
  # For each file on its own, sed reports where it replaced something.
  mapfile -t found < <(sed -ns "$expression"$'\nt done\nb\n:done\nF' "$room"/*.?pp | uniq)
  [ ${#found[@]} = 1 ] || { echo "$what: changes ${found[*]:-no file} in $room, one file is wanted" >&2 && return 1; }
  echo "${found[0]}"
}

if [ "${1:-}" = --check ]; then
  cd "$root"
  for mutation in "${mutations[@]}"; do
    part "$mutation"
    place >/dev/null
  done
  echo "${#mutations[@]} errors can be injected"
  exit
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp --parents -t "$copy")
cd "$copy"

# see_failures: 1 when the tests pass; else says which failed, in `failed`
see_failures() {
  if [ "$tests" = field ] || [ "$tests" = generated ]; then
    local script=(tests/field.py build/develop/bin/roofline build/develop/bin/roofline_bench)
    [ "$tests" = field ] || script=(tests/field_generated.py build/develop/bin/roofline --trials=100)
    ! "${script[@]}" >log 2>&1 || return 1
    failed=$(grep -v ' 0 wrong$' log | tail -1)
    return
  fi
  ! build/develop/roofline_tests --gtest_brief=1 --gtest_filter="$tests" >log 2>&1 || return 1
  # All of them: on a busy machine one may fail that has nothing to do with the edit. None: the program itself died.
  failed=$(grep -o '^\[  FAILED  \] [^ ,]*\.[^ ,]*' log | cut -c14- | sort -u | tr '\n' ' ' || true)
  failed=${failed:-the tests end with $(tail -1 log)}
}

# try NUMBERS: injects these errors, builds once and runs the tests of each; 1 when those of one do not see it
try() {
  local number what room expression tests file failed files=() code=0
  for number; do
    part "${mutations[number - 1]}"
    file=$(place)
    cp "$file" "original.$number"
    files+=("$file")
    sed -i "$expression" "$file"
  done
  failed=
  if ! cmake --build --preset develop --target roofline_tests roofline roofline_bench >log 2>&1; then
    # A warning, which is an error here as in CI, catches one as well as a test does; which, a build of each shows.
    failed=$(grep -m1 -o 'error: .*\[-Werror.*' log) || { tail log && exit 1; }
  fi
  for number; do
    part "${mutations[number - 1]}"
    if [ -z "$failed" ]; then
      see_failures || code=1
      echo "$number $what: ${failed:-NOT CAUGHT}"
      failed=
    elif [ $# = 1 ]; then
      echo "$number $what: $failed"
    fi
    cp "original.$number" "${files[0]}"
    files=("${files[@]:1}")
  done
  if [ -n "$failed" ] && [ $# -gt 1 ]; then
    for number; do try "$number" || code=1; done
  fi
  return $code
}

# group SIZE NUMBERS: lines of up to so many of them, each with rooms and tests of its own
group() {
  local size=$1 number what room expression tests left=("${@:2}") later taken seen
  while [ ${#left[@]} -gt 0 ]; do
    taken=() later=() seen='|'
    for number in "${left[@]}"; do
      part "${mutations[number - 1]}"
      if [ ${#taken[@]} = "$size" ] || [[ $seen == *"|$room|"* || $seen == *"|$tests|"* ]]; then
        later+=("$number")
      else
        taken+=("$number") seen+="$room|$tests|"
      fi
    done
    echo "${taken[@]}"
    left=("${later[@]}")
  done
}

size=1
if [ "${1:-}" = --together ]; then
  size=$2
  shift 2
fi
[ $# -gt 0 ] || set -- "1-${#mutations[@]}"
numbers=()
for range; do
  for ((number = ${range%-*}; number <= ${range#*-}; ++number)); do numbers+=("$number"); done
done
# One file to a unit, so that one error is one file to compile; errors in headers first, so that few builds compile many
# files. Code that calls CUDA is compiled only if an error is in it.
cuda=OFF headers=() sources=()
for number in "${numbers[@]}"; do
  part "${mutations[number - 1]}"
  [ "$room" != bench/cuda ] || cuda=ON
  if [[ $(place) = *.hpp ]]; then headers+=("$number"); else sources+=("$number"); fi
done
numbers=("${headers[@]}" "${sources[@]}")
cmake --preset develop -DROOFLINE_CUDA=$cuda >/dev/null
missed=0
while read -ra together <&3; do
  try "${together[@]}" || missed=1
done 3< <(group "$size" "${numbers[@]}")
exit $missed
